-- Each connection has a redirect address of its own, and knows the account of the system that its records belong to.
ALTER TABLE connector
  -- Last part of its redirect address. NULL: the address that all had before, which its system may have been given.
  ADD COLUMN redirect_name text COLLATE "C" DEFAULT replace(gen_random_uuid()::text, '-', ''),
  -- Origins of the authorisation and the token address that it was made for. NULL: not known yet.
  ADD COLUMN redirect_origins jsonb;
UPDATE connector SET redirect_name = NULL
  WHERE auth_type = 'oauth' OR id IN (SELECT connector_id FROM oauth_grant);
CREATE UNIQUE INDEX connector_redirect_name ON connector (redirect_name);

ALTER TABLE oauth_grant
  -- The account of the system, as it names it: id and name. NULL: it names none.
  ADD COLUMN account jsonb;
ALTER TABLE oauth_sign_in
  -- The account of a sign-in that was refused as it was another one than before.
  ADD COLUMN other_account jsonb;
