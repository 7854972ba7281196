-- What the very first start made, so that a start that was cut short is finished by the next one.
CREATE TABLE installation (
  -- One row: there is one installation.
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  organisation_id text COLLATE "C" NOT NULL REFERENCES organisation,
  admin_id text COLLATE "C" NOT NULL REFERENCES app_user,
  -- NULL until its schema in the database of records stands.
  instance_id text COLLATE "C",
  -- Whether the demo was wanted: it belongs to the first start, or never comes.
  demo boolean NOT NULL,
  -- A password that was made and not yet shown to anybody is made again.
  password_untold boolean NOT NULL
);

-- Installations older than this table. Whether they have a demo is written beside the demo itself.
INSERT INTO installation (organisation_id, admin_id, instance_id, demo, password_untold)
SELECT u.organisation_id, u.id,
       (SELECT i.id FROM instance i WHERE i.organisation_id = u.organisation_id ORDER BY i.created_at LIMIT 1),
       false, false
FROM app_user u
WHERE u.super_admin AND u.organisation_id IS NOT NULL
ORDER BY u.created_at
LIMIT 1;
