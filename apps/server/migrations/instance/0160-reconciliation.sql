-- Ids a reconciliation has read in each system, with a fingerprint of their values. Made anew by each one, gone with its
-- end: a crash may empty it.
CREATE UNLOGGED TABLE reconciliation_listed (
  reconciliation_id text COLLATE "C" NOT NULL,
  place smallint NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C",
  PRIMARY KEY (reconciliation_id, place, external_id)
);

-- What looked different at the last look, to be looked at again. Empty texts stand for ids that are not known.
CREATE UNLOGGED TABLE reconciliation_suspect (
  reconciliation_id text COLLATE "C" NOT NULL,
  place smallint NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  -- As the system shows it now, where it can't be asked for single records.
  record jsonb,
  PRIMARY KEY (reconciliation_id, place, external_id, record_id)
);

-- Differences found, as a person reads and repairs them.
CREATE TABLE reconciliation_difference (
  reconciliation_id text COLLATE "C" NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  kind text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  place smallint NOT NULL,
  external_id text COLLATE "C",
  record_id text COLLATE "C",
  -- Core field and connector field; null where the whole record is meant.
  field text COLLATE "C",
  connector_field text COLLATE "C",
  outside_value jsonb,
  core_value jsonb,
  -- By which a record without a link is recognised in a system, and in the core.
  signature text COLLATE "C",
  -- The system's value was not what was last read there: it is news from there.
  is_unread boolean NOT NULL,
  repair_requested_at timestamptz,
  PRIMARY KEY (reconciliation_id, number)
);
CREATE INDEX reconciliation_difference_of_kind ON reconciliation_difference (reconciliation_id, kind, reason, number);
