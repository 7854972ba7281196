-- Cycles in a row that broke off before their end, and since when: whoever takes the pipeline next knows of them.
ALTER TABLE sync_pipeline
  ADD COLUMN broken_times integer NOT NULL DEFAULT 0,
  ADD COLUMN broken_since timestamptz;
