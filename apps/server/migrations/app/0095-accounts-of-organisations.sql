-- An address may have an account in each of several organisations, and invitations that nobody has accepted yet: who
-- invites never learns whether the address is known elsewhere.
DROP INDEX app_user_email;
CREATE INDEX app_user_email ON app_user (email);
CREATE UNIQUE INDEX app_user_account ON app_user (organisation_id, email) WHERE status <> 'PENDING';

-- Of several accounts that a password opens, the one entered last is entered again.
ALTER TABLE app_user ADD COLUMN last_entered_at timestamptz;
