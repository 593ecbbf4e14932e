// Stores signatures of five campaigns, other people and conversations with the chatbot. Names and cities are
// distributed as unevenly as real ones.
import type pg from 'pg'
import { availabilities, influencerTasks } from '#contract/applications.ts'
import { volunteerTasks } from '#contract/contacts.ts'
import { conversationStatuses } from '#contract/conversation-status.ts'
import { stateCodes } from '#contract/states.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { countTables } from '#tests/helpers/count-rows.ts'
import { storeCounts } from './stored-signatures.ts'

const firstNames =
  'Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane Josefa Zulmira Tarcísio Wellington Yasmin Ícaro Quitéria'
const surnames =
  'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves Santana Teixeira Araújo Conceição Assunção Brandão Galvão Falcão Quaresma Xisto Zagallo'
const cities =
  'São Paulo,Rio de Janeiro,Salvador,Fortaleza,Belo Horizonte,Manaus,Curitiba,Recife,Goiânia,Belém,Porto Alegre,Guarulhos,Campinas,São Luís,Maceió,Natal,Teresina,São Gonçalo,Campo Grande,João Pessoa,Santo André,Osasco,Ribeirão Preto,Uberlândia,Contagem,Sorocaba,Aracaju,Cuiabá,Joinville,Londrina,Niterói,Ananindeua,Florianópolis,Macapá,Boa Vista,Rio Branco,Palmas,Vitória,Xique-Xique,Ouro Preto'
export const campaigns = ['juros', 'brasilquerpaz', 'fim-escala-6x1', 'contra-pec-da-impunidade', 'cassacao-fulano']

// The square makes the first entries of a list much more frequent than the last. `offset 0` keeps PostgreSQL from
// computing a value again at every use.
const randomPerson = `
  select md5($1::text || n) as chance, now() - interval '60 days' * (1 - n / $2::float8) as at,
    ('x' || substr(md5('nome' || $1::text || n), 1, 7))::bit(28)::int / 268435456.0 as a,
    ('x' || substr(md5('sobrenome' || $1::text || n), 1, 7))::bit(28)::int / 268435456.0 as b,
    ('x' || substr(md5('cidade' || $1::text || n), 1, 7))::bit(28)::int / 268435456.0 as c offset 0`
const pick = (list: string, random: string) => `(${list})[1 + floor(${random} * ${random} * cardinality(${list}))::int]`
const id = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(chance, 1, 3) || '8' || substr(chance, 4, 15))::uuid`
const name = `${pick('$3::text[]', 'a')} || ' ' || ${pick('$4::text[]', 'b')} || ' ' || ${pick('$4::text[]', 'c')}`
const email = `translate(lower(${pick('$3::text[]', 'a')}), 'áâãçéêíóôõú', 'aaaceeiooou') || '.' || substr(chance, 1, 14) || '@example.org'`
const phone = `(11 + n % 89)::text || '9' || lpad((n::bigint * 7919 % 100000000)::text, 8, '0')`
const origin = `case when n % 1000 = 0 then 'rara' when n % 3 = 0 then 'instagram' when n % 3 = 1 then 'whatsapp' end`
const people = `from generate_series(1, $2::int) as n, lateral (${randomPerson}) as chances`

const inserts = {
  peticoes: `insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, origem, "aceitaNovidades", "versaoConsentimento", "confirmadoEm", "createdAt")
    select ${id}, chance::uuid, ${pick('$7::text[]', 'c')}, ${name}, ${email}, ${email}, ${phone}, ${pick('$5::text[]', 'c')}, ${pick('$6::text[]', 'b')}, ${origin}, n % 2 = 0, '1',
    case when n % 10 < 3 then at end, at ${people}`,
  contacts: `insert into contacts (id, "requestId", name, email, "canonicalEmail", whatsapp, tasks, origem, "aceitaNovidades", "versaoConsentimento", "createdAt")
    select ${id}, chance::uuid, ${name}, ${email}, ${email}, ${phone}, ($7::text[])[1 + n % 2:1 + n % 2], ${origin}, n % 2 = 0, '1', at
    ${people} where $5::text[] is not null and $6::text[] is not null`,
  influenciadores: `insert into influenciadores (id, "requestId", name, email, "canonicalEmail", whatsapp, cidade, estado, "redesSociais", tasks, origem, "aceitaNovidades", "versaoConsentimento", "createdAt")
    select ${id}, chance::uuid, ${name}, ${email}, ${email}, ${phone}, ${pick('$5::text[]', 'c')}, ${pick('$6::text[]', 'b')}, '@fulano',
    ($7::text[])[1 + n % 5:1 + n % 5], ${origin}, n % 2 = 0, '1', at ${people}`,
  lideres: `insert into lideres (id, "requestId", nome, email, "canonicalEmail", whatsapp, "encryptedCpf", "cpfDigest", "cpfConfere", nascimento, genero, profissao,
    endereco, cidade, estado, cep, motivacao, disponibilidade, aceita_termos, origem, "aceitaNovidades", "versaoConsentimento", "createdAt")
    select ${id}, chance::uuid, ${name}, ${email}, ${email}, ${phone}, decode(chance, 'hex'), decode(chance, 'hex'), true, '1980-01-01', 'feminino', 'Padeira',
    'Rua Exemplo, 1', ${pick('$5::text[]', 'c')}, ${pick('$6::text[]', 'b')}, '00000-000', 'Quero ajudar', ($7::text[])[1 + n % 6:1 + n % 6], true, ${origin}, n % 2 = 0, '1', at ${people}`,
  bot_conversas: `insert into bot_conversas ("subscriberId", nome, email, whatsapp, telefone, mensagem, status, "ultimaEm", "createdAt")
    select n, ${name}, case when n % 3 > 0 then ${email} end, '+55' || ${phone}, left(${phone}, 2) || right(${phone}, 8), 'Quero ajudar na minha cidade',
    ($7::text[])[1 + (n % 10 > 6)::int + (n % 10 > 8)::int], at, at ${people} where $5::text[] is not null and $6::text[] is not null`,
}

export const owner = 'organizadora'

/** The team has worked on a third of the signatures and on most other people. Tags and statuses are frequent or rare. */
const storeWorkflow = (kind: string, table: string, share: number) => `
  insert into people_workflow (kind, id, status, "ownerId", tags)
  select '${kind}', id, case when h % 1000 < 5 then 'em-contato' when h % 2 = 0 then 'ativo' else 'arquivado' end,
    case when h % 5 = 0 then (select id from admin_users where username = '${owner}') end,
    case when h % 2000 = 7 then array['rara'] when h % 4 = 0 then array['frequente', 'evento'] else array[]::text[] end
  from (select id, ('x' || substr(md5(id::text), 1, 7))::bit(28)::int as h from ${table}) people where h % 97 < ${97 * share}`
const storeUnsubscribed = `
  insert into enderecos ("addressHmac", "unsubscribedAt")
  select ${addressHmacSql('"canonicalEmail"')}, now() from peticoes where right(id::text, 2) in ('00', '7f') on conflict do nothing`

export interface PeopleCounts {
  signatures: number
  others: number
  conversations: number
}

export async function storePeople(
  client: pg.Client,
  { signatures, others, conversations }: PeopleCounts,
): Promise<void> {
  await client.query(
    `truncate peticoes, ${countTables}, outbox, contacts, influenciadores, lideres, busca_pessoas, busca_pessoas_marcas, bot_conversas, bot_mensagens, people_workflow, enderecos`,
  )
  const common = [firstNames.split(' '), surnames.split(' '), cities.split(','), stateCodes]
  const store = (table: keyof typeof inserts, count: number, last: readonly string[]) =>
    client.query(inserts[table], [table, count, ...common, last])
  await store('peticoes', signatures, campaigns)
  await store('contacts', others * 0.5, Object.values(volunteerTasks))
  await store('influenciadores', others * 0.3, influencerTasks)
  await store('lideres', others * 0.2, Object.keys(availabilities))
  await store('bot_conversas', conversations, conversationStatuses)
  await client.query(storeCounts)
  await client.query('vacuum analyze peticoes, peticoes_por_hora, contacts, influenciadores, lideres, bot_conversas')
}

/** Called when the site has its first administrator, which it creates only if there is none. */
export async function storeWorkflows(client: pg.Client): Promise<void> {
  await client.query(
    `insert into admin_users (username, password, email) values ('${owner}', '', '${owner}@example.org') on conflict do nothing`,
  )
  await client.query(storeWorkflow('assinaturas', 'peticoes', 0.3))
  await client.query(storeWorkflow('voluntarios', 'contacts', 0.5))
  await client.query(storeWorkflow('influenciadores', 'influenciadores', 0.8))
  await client.query(storeWorkflow('lideres', 'lideres', 0.8))
  await client.query(storeUnsubscribed)
  await client.query('vacuum analyze people_workflow, enderecos')
}
