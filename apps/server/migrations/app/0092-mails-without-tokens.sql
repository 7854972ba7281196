-- A mail names the one-time link it carries; the link itself is made when the mail leaves and is never stored.
ALTER TABLE mail
  ADD COLUMN link_kind text CHECK (link_kind IN ('invitation', 'passwordReset')),
  ADD COLUMN link_user_id text COLLATE "C" REFERENCES app_user ON DELETE SET NULL;
