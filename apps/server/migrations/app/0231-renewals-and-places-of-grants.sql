-- Renewals of grants that failed are tried again later and later, and those that worked not again at once.
ALTER TABLE oauth_grant
  -- Failures in a row, what the last one was, and when the next renewal may be tried.
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN failure jsonb,
  ADD COLUMN next_at timestamptz(3),
  -- When the access token was renewed last; NULL: it is the one of the sign-in.
  ADD COLUMN renewed_at timestamptz(3);

-- Grants are bound to the origin of the API and to the whole address that gives out tokens, each in its own part.
UPDATE oauth_grant SET binding = jsonb_set(binding, '{destinations}',
  jsonb_build_array(binding->'destinations'->0, binding->'tokenUrl'));
-- Sign-ins that are under way are begun again: they do not say which issuer they were begun with.
DELETE FROM oauth_sign_in WHERE status = 'waiting';
