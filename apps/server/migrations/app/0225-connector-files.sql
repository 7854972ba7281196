-- Files that people upload for a files synapse: what is known of each, and its bytes in pieces.
CREATE TABLE connector_file (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  connector_id text COLLATE "C" NOT NULL REFERENCES connector (id) ON DELETE CASCADE,
  -- As whoever uploaded it called it; no path is made of it.
  name text NOT NULL,
  state text NOT NULL CHECK (state IN ('RECEIVING', 'RECEIVED', 'READY')),
  size bigint NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  piece_bytes integer NOT NULL,
  fingerprint text NOT NULL,
  row_count bigint,
  -- Another one for each version of a name.
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id text COLLATE "C" NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  changed_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX connector_file_ready ON connector_file (connector_id, name) WHERE state = 'READY';
CREATE INDEX connector_file_of ON connector_file (instance_id, connector_id);
CREATE INDEX connector_file_unused ON connector_file (changed_at) WHERE state <> 'READY';
CREATE TABLE connector_file_piece (
  instance_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL REFERENCES connector_file (id) ON DELETE CASCADE,
  number integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (file_id, number)
);
-- Bytes of files are packed already, or soon read: packing them again costs more than it saves.
ALTER TABLE connector_file_piece ALTER COLUMN content SET STORAGE EXTERNAL;
-- Files were read from folders alone, and before anybody could say which number of a date is the month.
-- Deleted ones too: whatever reads or copies them later must not take them for uploads.
UPDATE connector SET config = '{"place": "folder", "dates": "monthFirst"}'::jsonb || config
WHERE type = 'files';
