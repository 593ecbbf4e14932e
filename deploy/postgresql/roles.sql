-- Creates the database `mobiliza` and its two roles. The owner, mobiliza_owner, migrates and restores. The site,
-- mobiliza, gets its rights from `npm run migrate`: it cannot change or delete entries of the audit log.
-- Run it as the superuser, with the passwords in the environment. Running it again is harmless. It also divides the
-- roles of an earlier installation, where mobiliza owns the tables: stop the site before, it locks every table.
--   DATABASE_PASSWORD=… OWNER_PASSWORD=… psql -X -v ON_ERROR_STOP=1 -d postgres -f roles.sql
\getenv site_password DATABASE_PASSWORD
\getenv owner_password OWNER_PASSWORD
select format('create role %I login', name) from unnest(array['mobiliza', 'mobiliza_owner']) name
where not exists (select from pg_roles where rolname = name) \gexec
-- The server log must not contain the passwords.
set log_statement = 'none';
set log_min_error_statement = 'panic';
select format('alter role mobiliza password %L', :'site_password') \gexec
select format('alter role mobiliza_owner password %L', :'owner_password') \gexec
select 'create database mobiliza owner mobiliza_owner'
where not exists (select from pg_database where datname = 'mobiliza') \gexec
alter database mobiliza owner to mobiliza_owner;
\connect mobiliza
reassign owned by mobiliza to mobiliza_owner;
revoke create on schema public from public;
grant usage, create on schema public to mobiliza_owner;
grant usage on schema public to mobiliza;
