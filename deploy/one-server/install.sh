#!/usr/bin/env bash
# Installs the site on one Debian server: packages, user, database, settings, systemd, and Caddy or nginx with a
# certificate.
# Running it again keeps what exists. --dry-run only prints the commands.
set -euo pipefail
shopt -s inherit_errexit

usage() {
  cat <<'TEXT'
Uso: install.sh --domain DOMÍNIO [--proxy caddy|nginx] [--email E-MAIL] [--dry-run]
  --domain   o endereço do site, sem https:// (mobiliza.exemplo.br)
  --proxy    quem recebe os visitantes e cuida do certificado (padrão: caddy)
  --email    com nginx: para os avisos da Let's Encrypt sobre o certificado
  --dry-run  mostra os comandos e não faz nada
TEXT
}

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

domain='' proxy=caddy email='' dry=''
while [ $# -gt 0 ]; do
  case $1 in
    --domain | --proxy | --email)
      [ $# -gt 1 ] || fail "$(usage)"
      declare "${1#--}=$2"
      shift
      ;;
    --dry-run) dry=yes ;;
    *) fail "$(usage)" ;;
  esac
  shift
done

base=/opt/mobiliza
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd -P)
env_file=/etc/mobiliza/mobiliza.env
owner_file=/etc/mobiliza/owner.env

[[ $domain =~ ^[a-z0-9-]+(\.[a-z0-9-]+)+$ ]] || fail "$(usage)"
[ "$proxy" = caddy ] || [ "$proxy" = nginx ] || fail "$(usage)"
[ "$proxy" = caddy ] || [ -n "$email" ] || fail 'Com nginx, informe --email.'
if [ -z "$dry" ]; then
  [ "$(id -u)" -eq 0 ] || fail 'Rode como root (sudo).'
  [ -e /etc/debian_version ] || fail 'Este instalador é para Debian.'
  [[ $repo == "$base/repo" || $repo == "$base/versions/"* ]] ||
    fail "Clone o projeto em $base/repo e rode $base/repo/deploy/one-server/install.sh."
fi

step() { printf '\n== %s\n' "$*"; }

# Prints a command, and runs it unless this is a dry run.
run() {
  printf '+'
  printf ' %q' "$@"
  printf '\n'
  [ -n "$dry" ] || "$@"
}

# Writes a file from standard input, with the same rule. Its content is not printed: it may contain passwords.
write() {
  local mode=$1 owner=$2 file=$3
  printf '+ escreve %s (%s %s)\n' "$file" "$mode" "$owner"
  if [ -n "$dry" ]; then
    cat >/dev/null
  else
    install -m "$mode" -o "${owner%:*}" -g "${owner#*:}" /dev/stdin "$file"
  fi
}

install_packages() {
  local packages=(ca-certificates git libatomic1 openssl postgresql)
  is_new_node || packages+=(nodejs npm)
  if [ "$proxy" = caddy ]; then packages+=(caddy); else packages+=(nginx certbot); fi
  run apt-get update
  run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
  [ -n "$dry" ] || is_new_node ||
    fail 'O Node desta versão do Debian é antigo demais: é preciso 20.12 ou mais novo. Use o Debian 13, ou instale o Node de nodejs.org e rode de novo.'
}

is_new_node() {
  command -v npm >/dev/null &&
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 12) ? 0 : 1)' 2>/dev/null
}

create_user() {
  id mobiliza >/dev/null 2>&1 ||
    run useradd --system --home-dir /var/lib/mobiliza --shell /usr/sbin/nologin mobiliza
  run install -d -m 755 "$base" "$base/versions"
  run install -d -m 750 -o root -g mobiliza /etc/mobiliza
  run install -d -m 700 -o mobiliza -g mobiliza /var/lib/mobiliza /var/backups/mobiliza
}

# The passwords are generated once, together with the settings that contain them.
create_database() {
  local version password owner
  if [ -z "$dry" ]; then
    version=$(find /etc/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -n 1)
  else
    version=VERSÃO
  fi
  run install -m 644 "$repo/deploy/postgresql/mobiliza.conf" "/etc/postgresql/$version/main/conf.d/"
  run systemctl restart postgresql
  if [ -e "$env_file" ]; then
    printf '%s já existe e fica como está\n' "$env_file"
    return
  fi
  password=$(openssl rand -hex 24)
  owner=$(openssl rand -hex 24)
  printf '+ cria o banco mobiliza, seu dono e o usuário do site no PostgreSQL\n'
  if [ -z "$dry" ]; then
    # The passwords go through the environment: every user of the server can read arguments.
    (cd / && DATABASE_PASSWORD=$password OWNER_PASSWORD=$owner \
      runuser -u postgres -- psql -Xq -v ON_ERROR_STOP=1) <"$repo/deploy/postgresql/roles.sql"
  fi
  # Not readable for the site, whose role cannot change the audit log.
  write 600 root:root "$owner_file" <<<"DATABASE_OWNER_URL=postgres://mobiliza_owner:$owner@127.0.0.1:5432/mobiliza"
  write 640 root:mobiliza "$env_file" < <(
    sed -e "s#^PUBLIC_URL=.*#PUBLIC_URL=https://$domain#" \
      -e "s#^DATABASE_URL=.*#DATABASE_URL=postgres://mobiliza:$password@127.0.0.1:5432/mobiliza#" \
      -e "s#^DATA_KEY=.*#DATA_KEY=$(openssl rand -base64 32)#" \
      -e "s#^ADMIN_PASSWORD=.*#ADMIN_PASSWORD=$(openssl rand -hex 10)#" \
      -e "s#^BOTCONVERSA_WEBHOOK_TOKEN=.*#BOTCONVERSA_WEBHOOK_TOKEN=$(openssl rand -hex 24)#" \
      "$here/mobiliza.env.example"
  )
  [ -e /etc/mobiliza/site.json ] || run install -m 640 -o root -g mobiliza "$here/site.example.json" /etc/mobiliza/site.json
}

install_units() {
  run install -m 755 "$here/mobiliza" /usr/local/sbin/mobiliza
  run install -m 644 "$here/mobiliza.service" "$here/mobiliza-backup.service" "$here/mobiliza-backup.timer" /etc/systemd/system/
  run systemctl daemon-reload
  run systemctl enable mobiliza
  run systemctl enable --now mobiliza-backup.timer
}

install_caddy() {
  write 644 root:root /etc/caddy/Caddyfile < <(sed "s/mobiliza\.example\.org/$domain/" "$here/Caddyfile")
  run caddy validate --config /etc/caddy/Caddyfile
  run systemctl reload-or-restart caddy
}

install_nginx() {
  local live=/etc/letsencrypt/live/$domain tls=/etc/nginx/tls
  run install -m 644 "$repo/deploy/nginx/nginx.conf" "$here/nodes.conf" /etc/nginx/
  run install -d "$tls" /var/www/acme
  # nginx starts with a self-signed certificate until the real one is there.
  [ -e "$tls/fullchain.pem" ] ||
    run openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
      -subj "/CN=$domain" -keyout "$tls/privkey.pem" -out "$tls/fullchain.pem"
  run nginx -t
  run systemctl reload-or-restart nginx
  run certbot certonly --webroot --webroot-path /var/www/acme --domain "$domain" --email "$email" \
    --agree-tos --non-interactive --keep-until-expiring --deploy-hook 'systemctl reload nginx' ||
    fail "O certificado não foi emitido. Confira se $domain aponta para este servidor e se a porta 80 está aberta, e rode de novo."
  run ln -sf "$live/fullchain.pem" "$live/privkey.pem" "$tls/"
  run systemctl reload nginx
}

step 'Pacotes'
install_packages
step 'Usuário e pastas'
create_user
step 'Banco e configuração'
create_database
step 'Serviços'
install_units
step 'Site'
# Later versions are installed by `mobiliza upgrade`.
[ -e "$base/current" ] || run /usr/local/sbin/mobiliza upgrade HEAD
step "Endereço público ($proxy)"
"install_$proxy"

cat <<TEXT

Pronto: https://$domain
  Administração: https://$domain/admin (usuário e primeira senha: ADMIN_USERNAME e ADMIN_PASSWORD em $env_file)
  Nomes e links do movimento: /etc/mobiliza/site.json, depois systemctl restart mobiliza
  Guarde fora deste servidor: a linha DATA_KEY de $env_file
TEXT
