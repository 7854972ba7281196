-- Alerts on data cards: what is compared with what, who is notified, and how the last evaluation ended.
CREATE TABLE card_alert (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  card_id text COLLATE "C" NOT NULL REFERENCES data_card (id) ON DELETE CASCADE,
  -- Whoever saved it last: it is evaluated with their permissions. NULL: they are deleted.
  owner_id text COLLATE "C" REFERENCES app_user (id) ON DELETE SET NULL,
  name text NOT NULL,
  watch jsonb NOT NULL,
  condition jsonb NOT NULL,
  every_minutes integer NOT NULL,
  -- Ids of users; those who are gone or may no longer see the card are left out when it is crossed.
  recipients text[] COLLATE "C" NOT NULL,
  -- Whether they get a mail as well.
  sends_mail boolean NOT NULL DEFAULT false,
  -- Address that is called as well, sealed, since it may hold a token; its origin, to show; and why the last call failed.
  webhook text,
  webhook_origin text,
  webhook_problem text,
  version integer NOT NULL DEFAULT 1,
  -- What the last value meant. An evaluation that fails or finds no value leaves it as it is.
  latch text NOT NULL DEFAULT 'UNKNOWN' CHECK (latch IN ('UNKNOWN', 'OK', 'CROSSED')),
  -- How the last evaluation ended. NULL: there was none yet.
  outcome text CHECK (outcome IN ('VALUE', 'NO_VALUE', 'FAILED')),
  value double precision,
  value_text text,
  mark text,
  problem text,
  -- Failed evaluations in a row.
  failures integer NOT NULL DEFAULT 0,
  -- Counts notifications: each gets a subject of its own, which is notified once.
  notices integer NOT NULL DEFAULT 0,
  checked_at timestamptz(3),
  crossed_at timestamptz(3),
  next_at timestamptz(3) NOT NULL,
  -- The evaluation under way, which alone may write its end, and until when it counts as alive by the database's clock.
  run_id text COLLATE "C",
  lease_until timestamptz,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX card_alert_card ON card_alert (card_id, id);
CREATE INDEX card_alert_instance ON card_alert (instance_id, next_at);
CREATE INDEX card_alert_owner ON card_alert (owner_id);
CREATE INDEX card_alert_due ON card_alert (next_at);
-- What an alert that was crossed still has to send outside. Written with the state of the alert, deleted once it is sent.
CREATE TABLE card_alert_delivery (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id text COLLATE "C" PRIMARY KEY,
  alert_id text COLLATE "C" NOT NULL REFERENCES card_alert (id) ON DELETE CASCADE,
  -- Whom it is mailed to. NULL: it is sent to the alert's address.
  user_id text COLLATE "C" REFERENCES app_user (id) ON DELETE CASCADE,
  content jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz(3) NOT NULL,
  run_id text COLLATE "C",
  lease_until timestamptz
);
CREATE INDEX card_alert_delivery_due ON card_alert_delivery (next_at);
CREATE INDEX card_alert_delivery_alert ON card_alert_delivery (alert_id);
CREATE INDEX card_alert_delivery_user ON card_alert_delivery (user_id);
CREATE INDEX card_alert_delivery_instance ON card_alert_delivery (instance_id);
