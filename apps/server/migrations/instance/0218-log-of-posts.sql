-- What the log of a webhook shows of each post beside its body: headers without what proves the sender, sealed as the
-- body is; bytes of the body; records in it; and the post that it repeats, where a person had one processed again.
ALTER TABLE webhook_message
  ADD COLUMN headers text,
  ADD COLUMN size integer,
  ADD COLUMN records integer,
  ADD COLUMN replay_of bigint;
CREATE INDEX webhook_message_without_records ON webhook_message (connector_id, received_at) WHERE records = 0;

-- The same of a refused one, with the beginning of its body. `times`: posts that one row stands for. Those that did not
-- prove who sent them are bounded apart from those that did: a stranger pushes out nothing but what strangers sent.
ALTER TABLE webhook_refusal
  ADD COLUMN headers text,
  ADD COLUMN body text,
  ADD COLUMN size integer,
  ADD COLUMN times integer NOT NULL DEFAULT 1,
  ADD COLUMN is_proven boolean NOT NULL DEFAULT false,
  ADD COLUMN kept_bytes integer NOT NULL DEFAULT 0;
CREATE INDEX webhook_refusal_at ON webhook_refusal (at);

-- Refused posts that newer ones took the place of.
CREATE TABLE webhook_refusal_cut (
  connector_id text COLLATE "C" PRIMARY KEY,
  posts bigint NOT NULL
);
