-- Ids that a source lists and no link knows, which were read once and came to nothing: filtered out, or not to be had.
CREATE TABLE unlinked_record (
  place smallint NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (place, external_id)
);
