#!/bin/sh
# Makes the role of the serving instances, when PostgreSQL starts for the first time. Whatever `migrate` makes later as the owner,
# this role may read and write, and not change.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$BRIDGE_DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role bridge login password :'password';
alter default privileges grant usage on schemas to bridge;
alter default privileges grant select, insert, update, delete on tables to bridge;
alter default privileges grant usage on sequences to bridge;
alter role bridge set statement_timeout = '30s';
alter role bridge set idle_in_transaction_session_timeout = '60s';
SQL
