-- Records that a person deleted here while their copies in the systems stay: their links are kept, and a change of a copy
-- brings them back in a later version than they had.
CREATE TABLE let_go_record (
  record_id text COLLATE "C" PRIMARY KEY,
  pipeline_id text COLLATE "C" NOT NULL,
  version integer NOT NULL
);
