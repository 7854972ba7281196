-- The external analytics product of an instance; one that has no row has none.
CREATE TABLE external_view (
  instance_id text COLLATE "C" PRIMARY KEY REFERENCES instance ON DELETE CASCADE,
  -- Which kind of provider it is.
  provider text COLLATE "C" NOT NULL,
  -- Everything but the secret, as the API shows it.
  definition jsonb NOT NULL,
  -- Sealed. Only used for tokens that are sent to `origins`.
  secret text NOT NULL,
  origins text[] NOT NULL,
  version integer NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
-- The feature behind it had nothing behind it before, so that nobody chose it: it is off until somebody enables it.
ALTER TABLE instance ALTER COLUMN disabled_features SET DEFAULT '{InsightsProvider}';
UPDATE instance SET disabled_features = array_append(disabled_features, 'InsightsProvider')
 WHERE NOT 'InsightsProvider' = ANY (disabled_features);
