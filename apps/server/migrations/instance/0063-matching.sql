-- Values that authority kept out: two sources disagree about a field until somebody settles it.
CREATE TABLE conflict (
  pipeline_id text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  field text NOT NULL,
  place smallint NOT NULL,
  value jsonb,
  -- When its source set it, as the source says.
  at text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  noticed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (record_id, field, place)
);
CREATE INDEX conflict_of_pipeline ON conflict (pipeline_id, record_id, field);

-- Records found to be one: merged, only reported, or merged and parted again. Pre-images make each merge undoable.
CREATE TABLE merge (
  id text COLLATE "C" PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- MERGED, REPORTED, TOO_MANY, UNDONE.
  status text NOT NULL,
  winner_id text COLLATE "C" NOT NULL,
  loser_ids text[] NOT NULL,
  cycle bigint,
  place smallint,
  -- {"<record id>": {"values": …, "origin": …}} of all of them, before.
  before jsonb NOT NULL DEFAULT '{}',
  -- What the merge changed of the winner: {"field": [from, to]}, and its origins after.
  changes jsonb NOT NULL DEFAULT '{}',
  origin jsonb NOT NULL DEFAULT '{}',
  -- [{"place", "externalId", "from"}] and [{"entityId", "entity", "field", "recordId", "from"}].
  moved jsonb NOT NULL DEFAULT '[]',
  repointed jsonb NOT NULL DEFAULT '[]',
  undone_at timestamptz,
  undone_by text
);
CREATE INDEX merge_of_pipeline ON merge (pipeline_id, id);
CREATE INDEX merge_of_winner ON merge (winner_id);
-- The same duplicates are reported once.
CREATE UNIQUE INDEX merge_reported ON merge (pipeline_id, winner_id, loser_ids) WHERE status IN ('REPORTED', 'TOO_MANY');

-- Where the outside records of a merged record lead now. Undone: the two are different things, for good.
CREATE TABLE merged_record (
  loser_id text COLLATE "C" NOT NULL,
  merge_id text COLLATE "C" NOT NULL,
  winner_id text COLLATE "C" NOT NULL,
  undone boolean NOT NULL DEFAULT false,
  PRIMARY KEY (loser_id, merge_id)
);
CREATE INDEX merged_into ON merged_record (winner_id);

-- Whose reference is missing: what a source said, to be judged when the record it names appears.
ALTER TABLE pending_reference ADD COLUMN place smallint, ADD COLUMN at text COLLATE "C";
CREATE INDEX pending_reference_of_pipeline ON pending_reference (pipeline_id);

-- Destinations that were told of a record without a reference, since its target is not there yet.
CREATE TABLE waiting_reference (
  place smallint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  connector_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (place, record_id, connector_id, entity, target_id)
);
