-- One limiter for every door, with turns for attempts that wait; codes of guests, of which several are good at once.

ALTER TABLE throttle RENAME TO rate_limit;
ALTER TABLE rate_limit RENAME COLUMN tries TO attempts;
ALTER TABLE rate_limit RENAME CONSTRAINT throttle_pkey TO rate_limit_pkey;
ALTER INDEX throttle_end RENAME TO rate_limit_end;
-- Turn of the last attempt (NULL: it got none), and when the next may be.
ALTER TABLE rate_limit ADD COLUMN slot_at timestamptz, ADD COLUMN next_at timestamptz;

DROP TABLE share_try;

CREATE TABLE share_code (
  share_id text COLLATE "C" NOT NULL REFERENCES share (id) ON DELETE CASCADE,
  -- Keyed hash: six digits alone are soon tried out.
  code_hash text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (share_id, code_hash)
);
CREATE INDEX share_code_end ON share_code (expires_at);
ALTER TABLE share DROP COLUMN code_hash, DROP COLUMN code_expires_at;
