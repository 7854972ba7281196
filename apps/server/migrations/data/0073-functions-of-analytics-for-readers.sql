-- Analytics runs as roles that may read one instance's records: they use its functions too, which read no table.
GRANT USAGE ON SCHEMA accord_analytics TO PUBLIC;
