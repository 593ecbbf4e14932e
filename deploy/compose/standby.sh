#!/bin/sh
# The first start copies the primary. Every start then follows it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  source="host=primary user=replicator password=$REPLICATION_PASSWORD application_name=standby1"
  pg_basebackup -d "$source" -D "$PGDATA" -R -S standby1 --checkpoint=fast
  chmod 700 "$PGDATA"
fi
exec postgres "$@"
