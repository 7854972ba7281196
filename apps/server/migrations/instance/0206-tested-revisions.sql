-- What a result is about: the test's revision, and a hash of the graphs that were run. NULL: of an earlier version.
ALTER TABLE pipeline_test_result ADD COLUMN test_revision integer, ADD COLUMN graphs_hash text COLLATE "C";
