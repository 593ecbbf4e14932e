-- Creates the role and the database of the site. install.sh runs it and passes the password in the environment.
\getenv password PASSWORD
select format('create role mobiliza login password %L', :'password')
where not exists (select from pg_roles where rolname = 'mobiliza') \gexec
select format('alter role mobiliza password %L', :'password') \gexec
select 'create database mobiliza owner mobiliza'
where not exists (select from pg_database where datname = 'mobiliza') \gexec
