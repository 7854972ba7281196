-- Core entities that have a pipeline or a history, by a small number.
CREATE TABLE sync_entity (
  number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL UNIQUE
);

-- A connector's entity as one pipeline knows it. The field lists fix the order inside fingerprints: they only grow.
CREATE TABLE place (
  number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL,
  connector_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  read_fields text[] NOT NULL DEFAULT '{}',
  told_fields text[] NOT NULL DEFAULT '{}',
  UNIQUE (pipeline_id, connector_id, entity)
);

-- An outside record's tie to a core record, unique both ways, with fingerprints of what was last seen and told there.
CREATE TABLE link (
  place smallint NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  seen text COLLATE "C",
  told text COLLATE "C",
  refused text COLLATE "C",
  modified_at text COLLATE "C",
  dead boolean NOT NULL DEFAULT false,
  seen_at timestamptz,
  told_at timestamptz,
  PRIMARY KEY (place, external_id)
);
CREATE UNIQUE INDEX link_record ON link (record_id, place);

-- One row per changed record and batch, kept by month.
CREATE SEQUENCE ledger_number;
CREATE TABLE ledger (
  number bigint NOT NULL DEFAULT nextval('ledger_number'),
  at timestamptz(3) NOT NULL DEFAULT now(),
  entity smallint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  place smallint,
  external_id text COLLATE "C",
  cycle bigint,
  version_number integer,
  user_id text COLLATE "C",
  user_name text,
  -- {"field": [from, to]} and {"field": [value, reason]}.
  -- json and not jsonb: written a thousand times for each time it is read.
  changes json NOT NULL DEFAULT '{}',
  refused json,
  PRIMARY KEY (number, at)
) PARTITION BY RANGE (at);
CREATE INDEX ledger_record ON ledger (record_id, number);
CREATE TABLE ledger_rest PARTITION OF ledger DEFAULT;

-- What destinations still have to be told: at most one row per record and destination.
CREATE TABLE delivery (
  place smallint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  -- Grows with each new reason to tell; an acknowledgement of an older one leaves the row standing.
  wanted integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  -- Put aside until the record changes or a person asks for another try.
  parked boolean NOT NULL DEFAULT false,
  -- What was begun without a certain answer, and fingerprints of what was sent.
  intent text,
  written text,
  PRIMARY KEY (place, record_id)
);
CREATE INDEX delivery_due ON delivery (place, next_at) WHERE NOT parked;
CREATE INDEX delivery_unanswered ON delivery (place) WHERE intent IS NOT NULL;

CREATE TABLE source_position (
  pipeline_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  cursor jsonb,
  read_at timestamptz,
  PRIMARY KEY (pipeline_id, node_id)
);

CREATE TABLE cycle (
  number bigint PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL,
  is_resync boolean NOT NULL,
  version_number integer NOT NULL,
  began_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  outcome text NOT NULL,
  counts jsonb NOT NULL,
  problems jsonb NOT NULL
);
CREATE INDEX cycle_of_pipeline ON cycle (pipeline_id, number);

CREATE TABLE quarantine (
  id text COLLATE "C" PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL,
  place smallint NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  direction text NOT NULL,
  status text NOT NULL DEFAULT 'OPEN',
  external_id text COLLATE "C",
  record_id text COLLATE "C",
  node_id text,
  code text NOT NULL,
  message text NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  payload jsonb
);
CREATE INDEX quarantine_of_pipeline ON quarantine (pipeline_id, id);
-- One open entry per record and place: a repeated failure counts up.
CREATE UNIQUE INDEX quarantine_open ON quarantine (place, direction, (coalesce(external_id, record_id, ''))) WHERE status <> 'RESOLVED';

-- References whose target is not known yet.
CREATE TABLE pending_reference (
  record_id text COLLATE "C" NOT NULL,
  field text NOT NULL,
  connector_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (record_id, field)
);
CREATE INDEX pending_reference_target ON pending_reference (connector_id, entity, external_id);
