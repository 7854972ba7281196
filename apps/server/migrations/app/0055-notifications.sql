-- What happened in an instance that somebody should know.
CREATE TABLE notification (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance ON DELETE CASCADE,
  -- What it is about: the same is told once.
  subject text COLLATE "C" NOT NULL,
  severity text COLLATE "C" NOT NULL CHECK (severity IN ('success', 'info', 'warning', 'error')),
  message text NOT NULL,
  detail text NOT NULL DEFAULT '',
  link text NOT NULL DEFAULT '',
  -- Built-in roles by name, own ones by id; empty: everybody of the instance.
  roles text[] COLLATE "C" NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  UNIQUE (instance_id, subject)
);
CREATE INDEX notification_of_instance ON notification (instance_id, id);
CREATE INDEX notification_age ON notification (created_at);

-- Up to where each person has looked.
CREATE TABLE notification_seen (
  user_id text COLLATE "C" NOT NULL REFERENCES app_user ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance ON DELETE CASCADE,
  up_to text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, instance_id)
);
