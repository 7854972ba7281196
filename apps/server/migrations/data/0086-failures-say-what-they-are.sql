-- A system's failures carry what people are told of them and when it is asked again; those of before count from anew.
UPDATE sync_pipeline SET failures = '{}';
