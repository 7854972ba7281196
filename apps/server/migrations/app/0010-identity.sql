-- Organisations, the people in them, their instances, roles and sessions.

CREATE TABLE organisation (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  logo text,
  -- Passwords must be changed after so many days; NULL: never.
  password_expiry_days integer CHECK (password_expiry_days > 0),
  created_at timestamptz NOT NULL
);

CREATE TABLE subscription (
  id text COLLATE "C" PRIMARY KEY,
  organisation_id text COLLATE "C" NOT NULL REFERENCES organisation ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('standard', 'trial', 'partner')),
  status text NOT NULL CHECK (status IN ('ACTIVE', 'DELETED')),
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C",
  deleted_at timestamptz,
  deleted_by text COLLATE "C"
);
CREATE INDEX subscription_organisation ON subscription (organisation_id);

CREATE TABLE instance (
  id text COLLATE "C" PRIMARY KEY,
  organisation_id text COLLATE "C" NOT NULL REFERENCES organisation ON DELETE CASCADE,
  subscription_id text COLLATE "C" NOT NULL REFERENCES subscription,
  name text NOT NULL,
  display_name text NOT NULL,
  type text NOT NULL CHECK (type IN ('production', 'trial', 'partner')),
  status text NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE', 'DELETING', 'DELETED')),
  -- Trial limits by quota type; empty for the others.
  quotas jsonb NOT NULL DEFAULT '{}',
  trial_started_at timestamptz,
  ghost_access boolean NOT NULL DEFAULT true,
  disabled_features text[] NOT NULL DEFAULT '{}',
  created_by text COLLATE "C",
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX instance_name ON instance (organisation_id, lower(name)) WHERE status <> 'DELETED';

CREATE TABLE app_user (
  id text COLLATE "C" PRIMARY KEY,
  -- NULL once removed from the organisation: the account stays, with nothing to enter.
  organisation_id text COLLATE "C" REFERENCES organisation ON DELETE CASCADE,
  email text NOT NULL CHECK (email = lower(email)),
  first_name text NOT NULL,
  last_name text NOT NULL,
  photo text,
  time_zone text NOT NULL DEFAULT 'UTC',
  status text NOT NULL CHECK (status IN ('PENDING', 'ACTIVE', 'INACTIVE')),
  password_hash text,
  password_changed_at timestamptz,
  password_expired boolean NOT NULL DEFAULT false,
  org_admin boolean NOT NULL DEFAULT false,
  super_admin boolean NOT NULL DEFAULT false,
  ghost_user boolean NOT NULL DEFAULT false,
  preferences jsonb NOT NULL DEFAULT '{}',
  last_instance_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX app_user_email ON app_user (email);
CREATE INDEX app_user_organisation ON app_user (organisation_id);

-- Roles an organisation made for itself. The six built-in ones are code.
CREATE TABLE custom_role (
  id text COLLATE "C" PRIMARY KEY,
  organisation_id text COLLATE "C" NOT NULL REFERENCES organisation ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  permissions text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX custom_role_name ON custom_role (organisation_id, lower(name));

-- role: a built-in role's name or a custom role's id.
CREATE TABLE user_role (
  user_id text COLLATE "C" NOT NULL REFERENCES app_user ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance ON DELETE CASCADE,
  role text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, instance_id, role)
);
CREATE INDEX user_role_instance ON user_role (instance_id);

CREATE TABLE session (
  id text COLLATE "C" PRIMARY KEY,
  -- The token itself is only in the browser.
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  user_id text COLLATE "C" NOT NULL REFERENCES app_user ON DELETE CASCADE,
  instance_id text COLLATE "C" REFERENCES instance ON DELETE SET NULL,
  -- passwordChange: may only set a new password (it expired, or a mailed token opened the session).
  purpose text NOT NULL CHECK (purpose IN ('full', 'passwordChange')),
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);
CREATE INDEX session_of_user ON session (user_id);

-- Links sent by mail: used once, known only by their hash.
CREATE TABLE one_time_token (
  token_hash text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('invitation', 'passwordReset')),
  user_id text COLLATE "C" NOT NULL REFERENCES app_user ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX one_time_token_user ON one_time_token (user_id, kind);
