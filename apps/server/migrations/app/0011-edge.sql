-- What the edge remembers: tries, repeated calls, mail that went out and who changed what.

CREATE TABLE throttle (
  scope text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  window_ends_at timestamptz NOT NULL,
  tries integer NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX throttle_end ON throttle (window_ends_at);

CREATE TABLE idempotency_key (
  -- User, endpoint and the key the caller chose.
  scope text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash text COLLATE "C" NOT NULL,
  -- NULL while the first call is under way. Sealed: an answer may show a secret once.
  reply text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_key_age ON idempotency_key (created_at);

CREATE TABLE mail (
  id text COLLATE "C" PRIMARY KEY,
  organisation_id text COLLATE "C" NOT NULL REFERENCES organisation ON DELETE CASCADE,
  instance_id text COLLATE "C" REFERENCES instance ON DELETE CASCADE,
  kind text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  -- Sealed: mails carry one-time links.
  body text NOT NULL,
  status text NOT NULL CHECK (status IN ('WAITING', 'SENT', 'KEPT', 'FAILED')),
  attempts integer NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
CREATE INDEX mail_organisation ON mail (organisation_id, id DESC);

CREATE TABLE audit_entry (
  id text COLLATE "C" PRIMARY KEY,
  organisation_id text COLLATE "C" NOT NULL REFERENCES organisation ON DELETE CASCADE,
  instance_id text COLLATE "C",
  -- Who: the user, or NULL for the server itself. The name stays when the account is erased.
  user_id text COLLATE "C",
  user_email text NOT NULL,
  -- The endpoint's name, or a job's.
  action text NOT NULL,
  target_kind text,
  target_id text COLLATE "C",
  target_name text,
  details jsonb,
  request_id text NOT NULL,
  address text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX audit_entry_organisation ON audit_entry (organisation_id, id DESC);

CREATE TABLE error_report (
  id text COLLATE "C" PRIMARY KEY,
  organisation_id text COLLATE "C" REFERENCES organisation ON DELETE CASCADE,
  user_id text COLLATE "C",
  phone_home_id text NOT NULL,
  report jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

-- Each process that does background work says so every few seconds.
CREATE TABLE worker_heartbeat (
  process_id text COLLATE "C" PRIMARY KEY,
  seen_at timestamptz NOT NULL
);
