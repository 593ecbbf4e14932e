#!/bin/sh
# The image of PostgreSQL runs this once, on an empty volume: creates the roles, the database and the slot of the
# standby.
set -eu
psql -X -v ON_ERROR_STOP=1 -U postgres -d postgres -f /etc/postgresql/roles.sql
psql -v ON_ERROR_STOP=1 -U postgres -v copying="$REPLICATION_PASSWORD" <<'SQL'
create role replicator login replication password :'copying';
select pg_create_physical_replication_slot('standby1', true);
SQL
echo 'host replication replicator 10.89.0.0/24 scram-sha-256' >> "$PGDATA/pg_hba.conf"
