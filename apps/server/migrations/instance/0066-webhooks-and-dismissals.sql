-- What webhooks brought, in order of arrival, once per id that the sender gave; and who let go of quarantined records.
CREATE TABLE webhook_message (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  connector_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  body text NOT NULL,
  -- What was answered.
  status integer NOT NULL,
  UNIQUE (connector_id, message_id)
);
CREATE INDEX webhook_message_of_connector ON webhook_message (connector_id, number);

-- Posts that were not taken, with the reason: what the webhook's log shows beside messages.
CREATE TABLE webhook_refusal (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  connector_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  code text NOT NULL,
  status integer NOT NULL
);
CREATE INDEX webhook_refusal_of_connector ON webhook_refusal (connector_id, number);

ALTER TABLE quarantine
  ADD COLUMN dismissed_by text,
  ADD COLUMN dismissed_at timestamptz;
