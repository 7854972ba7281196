/** Calls, tables, types and statements that no dataset may name, for the corpus of hostile statements. */

/** Calls of functions that read files, sleep, write, change settings, lock, send, or run a text as SQL. */
export const CALLS = [
  ...["pg_sleep(1000)", "pg_sleep_for('1 hour')", "pg_sleep_until('tomorrow')", "set_config('role', 'none', false)"],
  ...[
    "set_config('statement_timeout', '0', false)",
    "current_setting('data_directory')",
    "pg_read_file('/etc/passwd')",
  ],
  ...["pg_read_binary_file('/etc/passwd')", "pg_ls_dir('/')", "pg_ls_logdir()", "pg_ls_waldir()", "pg_ls_tmpdir()"],
  ...[
    "pg_stat_file('/etc/passwd')",
    "lo_import('/etc/passwd')",
    "lo_export(1, '/tmp/x')",
    "lo_create(0)",
    "lo_creat(1)",
  ],
  ...["lo_unlink(1)", "lo_get(1)", "lo_put(1, 0, 'x')", "lo_from_bytea(0, 'x')", "loread(1, 1)", "lowrite(1, 'x')"],
  ...["nextval('s')", "currval('s')", "lastval()", "setval('s', 1)", "pg_notify('accord_realtime', 'x')"],
  ...["query_to_xml('select 1', true, true, '')", "query_to_xmlschema('select 1', true, true, '')"],
  ...["query_to_xml_and_xmlschema('select 1', true, true, '')", "table_to_xml('pg_class', true, true, '')"],
  ...[
    "schema_to_xml('public', true, true, '')",
    "database_to_xml(true, true, '')",
    "cursor_to_xml('c', 1, true, true, '')",
  ],
  ...["database_to_xmlschema(true, true, '')", "xpath('/a', '<a/>')", "xmlagg('<a/>')", "ts_stat('select 1')"],
  ...[
    "ts_rewrite('a', 'select 1')",
    "ts_parse('default', 'x')",
    "dblink('dbname=app', 'select 1')",
    "dblink_exec('x')",
  ],
  ...[
    "dblink_connect('dbname=app')",
    "postgres_fdw_get_connections()",
    "pg_advisory_lock(1)",
    "pg_advisory_xact_lock(1)",
  ],
  ...["pg_try_advisory_lock(1)", "pg_advisory_unlock_all()", "pg_terminate_backend(1)", "pg_cancel_backend(1)"],
  ...["pg_reload_conf()", "pg_rotate_logfile()", "pg_switch_wal()", "pg_create_restore_point('x')", "pg_promote()"],
  ...["pg_backup_start('x')", "pg_backup_stop()", "pg_export_snapshot()", "pg_logical_emit_message(true, 'a', 'b')"],
  ...["pg_logical_slot_get_changes('s', null, null)", "pg_create_logical_replication_slot('s', 'pgoutput')"],
  ...["pg_drop_replication_slot('s')", "pg_replication_origin_create('x')", "pg_current_wal_lsn()"],
  ...["pg_stat_reset()", "pg_stat_get_activity(null)", "pg_stat_get_backend_activity(1)", "pg_show_all_settings()"],
  ...[
    "pg_get_viewdef('v')",
    "pg_get_functiondef(1)",
    "pg_get_userbyid(10)",
    "pg_get_constraintdef(1)",
    "pg_get_expr('x', 1)",
  ],
  ...["pg_database_size('app')", "pg_relation_size('x')", "pg_total_relation_size('x')", "pg_tablespace_location(1)"],
  ...["pg_relation_filepath('pg_class')", "pg_backend_pid()", "pg_postmaster_start_time()", "pg_conf_load_time()"],
  ...["inet_server_addr()", "inet_client_addr()", "version()", "current_database()", "current_schemas(true)"],
  ...[
    "has_table_privilege('x', 'SELECT')",
    "has_database_privilege('app', 'CONNECT')",
    "pg_has_role('postgres', 'USAGE')",
  ],
  ...[
    "to_regclass('pg_class')",
    "to_regproc('now')",
    "to_regrole('postgres')",
    "obj_description(1)",
    "col_description(1, 1)",
  ],
  ...["txid_current()", "pg_current_xact_id()", "pg_snapshot_xip(null)", "pg_xact_commit_timestamp(null)"],
  ...["repeat_everything('x')", "random()", "gen_random_uuid()", "clock_timestamp()", "timeofday()", "setseed(0)"],
  ...["format('%1000000000s', 'x')", "array_fill(1, ARRAY[1000000000])", "array_agg(1)", "json_agg(1)", "jsonb_agg(1)"],
  ...[
    "string_to_table('a', ',')",
    "regexp_split_to_table('a', 'b')",
    "regexp_matches('a', 'b', 'g')",
    "xmlconcat2('a', 'b')",
  ],
  ...[
    "row_to_json(1)",
    "to_jsonb(1)",
    "json_populate_record(null, '{}')",
    "jsonb_to_recordset('[]')",
    "brin_summarize_new_values(1)",
  ],
  ...[
    "gin_clean_pending_list(1)",
    "amvalidate(1)",
    "pg_import_system_collations('public')",
    "pg_stat_force_next_flush()",
  ],
  ...["encode('x', 'hex')", "decode('x', 'hex')", "convert_from('x', 'UTF8')", "get_byte('x', 1)", "sha256('x')"],
  ...["int4in('1')", "byteain('x')", "regclassin('pg_class')", "record_out(1)", "pg_input_error_info('x', 'integer')"],
  ...["plpgsql_call_handler()", "fmgr_sql_validator(1)", "accord_reader()", "eval('1')"],
] as const;

export const CATALOGUES = [
  ...["pg_class", "pg_authid", "pg_roles", "pg_shadow", "pg_user", "pg_database", "pg_proc", "pg_settings"],
  ...[
    "pg_stat_activity",
    "pg_stat_statements",
    "pg_tables",
    "pg_views",
    "pg_namespace",
    "pg_attribute",
    "pg_statistic",
  ],
  ...["pg_stats", "pg_locks", "pg_largeobject", "pg_file_settings", "pg_hba_file_rules", "pg_prepared_statements"],
  ...["pg_cursors", "pg_timezone_names", "pg_sequences", "pg_foreign_server", "pg_user_mapping", "PG_CLASS"],
] as const;

export const OTHER_SCHEMAS = [
  ...["pg_catalog.pg_class", "information_schema.tables", "public.migration", "i_0123.r_Deal", '"i_0123"."r_Deal"'],
  ...["accord_analytics.x", "pg_temp.x", "pg_toast.pg_toast_1", "app.public.user", "postgres.pg_catalog.pg_class"],
] as const;

export const STATEMENTS = [
  ...["INSERT INTO Deal (status) VALUES ('x')", "UPDATE Deal SET status = 'x'", "DELETE FROM Deal", "TRUNCATE Deal"],
  ...["DROP TABLE Deal", "DROP SCHEMA public CASCADE", "CREATE TABLE x (a int)", "CREATE TEMP TABLE x AS SELECT 1"],
  ...["CREATE TABLE x AS SELECT * FROM Deal", "CREATE VIEW v AS SELECT 1", "CREATE MATERIALIZED VIEW v AS SELECT 1"],
  ...[
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'select 1'",
    "CREATE EXTENSION dblink",
    "CREATE ROLE x SUPERUSER",
  ],
  ...[
    "ALTER TABLE Deal ADD x int",
    "ALTER ROLE postgres PASSWORD 'x'",
    "ALTER SYSTEM SET port = 1",
    "GRANT ALL ON Deal TO PUBLIC",
  ],
  ...["REVOKE ALL ON Deal FROM PUBLIC", "SET ROLE postgres", "RESET ROLE", "SET statement_timeout = 0", "RESET ALL"],
  ...[
    "SET SESSION AUTHORIZATION postgres",
    "SHOW data_directory",
    "SHOW ALL",
    "COPY Deal TO '/tmp/x'",
    "COPY Deal FROM '/etc/passwd'",
  ],
  ...[
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "COPY Deal FROM PROGRAM 'id'",
    "DO 'begin end'",
    "DO $$ BEGIN PERFORM 1; END $$",
  ],
  ...["CALL f()", "EXPLAIN SELECT 1", "EXPLAIN ANALYZE DELETE FROM Deal", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT x"],
  ...[
    "LISTEN accord_realtime",
    "NOTIFY accord_realtime, 'x'",
    "UNLISTEN *",
    "LOCK TABLE Deal",
    "VACUUM",
    "ANALYZE Deal",
    "REINDEX TABLE Deal",
  ],
  ...[
    "CLUSTER Deal",
    "CHECKPOINT",
    "DISCARD ALL",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DEALLOCATE ALL",
    "DECLARE c CURSOR FOR SELECT 1",
  ],
  ...[
    "FETCH ALL FROM c",
    "CLOSE c",
    "COMMENT ON TABLE Deal IS 'x'",
    "SECURITY LABEL ON TABLE Deal IS 'x'",
    "LOAD 'x'",
    "REFRESH MATERIALIZED VIEW v",
  ],
  ...[
    "MERGE INTO Deal d USING Contact c ON true WHEN MATCHED THEN DELETE",
    "IMPORT FOREIGN SCHEMA x FROM SERVER s INTO public",
  ],
  ...[
    "CREATE TRIGGER t BEFORE INSERT ON Deal EXECUTE FUNCTION f()",
    "CREATE INDEX ON Deal (status)",
    "CREATE DATABASE x",
    "DROP ROLE x",
  ],
  ...[
    "CREATE PUBLICATION p FOR ALL TABLES",
    "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p",
    "REASSIGN OWNED BY a TO b",
  ],
] as const;

export const MODIFYING = [
  "WITH x AS (DELETE FROM Deal RETURNING *) SELECT * FROM x",
  "WITH x AS (INSERT INTO Deal (status) VALUES ('a') RETURNING *) SELECT * FROM x",
  "WITH x AS (UPDATE Deal SET status = 'a' RETURNING *) SELECT * FROM x",
  "WITH x AS (MERGE INTO Deal d USING Contact c ON true WHEN MATCHED THEN DELETE RETURNING d.status) SELECT * FROM x",
  "SELECT * FROM (WITH x AS (DELETE FROM Deal RETURNING *) SELECT * FROM x) y",
] as const;

export const TYPES = [
  ...["regclass", "regproc", "regrole", "regnamespace", "oid", "xml", "bytea", "json", "name", "refcursor", "cid"],
  ...["pg_lsn", "tsvector", "tsquery", "inet", "money", "bit", "int4range", "record", "unknown", "my_type", "regtype"],
] as const;
