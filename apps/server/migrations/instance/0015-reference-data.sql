-- Uploaded lookup lists. Rows hold the texts of a CSV file in the order of the columns.
CREATE TABLE reference_list (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  file_name text NOT NULL,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'DEACTIVATED')),
  columns text[] NOT NULL,
  total_records integer NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  imported_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX reference_list_name ON reference_list (lower(name));

CREATE TABLE reference_row (
  list_id text COLLATE "C" NOT NULL REFERENCES reference_list ON DELETE CASCADE,
  position integer NOT NULL,
  texts text[] NOT NULL,
  -- One hash for each column of list, column and lower-case text: any column can be looked up by one index.
  keys bigint[] NOT NULL,
  PRIMARY KEY (list_id, position)
);
CREATE INDEX reference_row_keys ON reference_row USING gin (keys);
