-- Outside records that are there no more, as a look at all ids found: the next cycle takes them as deleted.
CREATE TABLE missing_record (
  place smallint NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (place, external_id)
);
