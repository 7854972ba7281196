-- What people grant to a connector by signing in at its system (OAuth 2), and the sign-ins that are under way.
CREATE TABLE oauth_grant (
  connector_id text COLLATE "C" PRIMARY KEY REFERENCES connector (id) ON DELETE CASCADE,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  -- The settings it was made for: with others it does not count.
  binding jsonb NOT NULL,
  -- Access token and refresh token.
  sealed text NOT NULL,
  is_renewed boolean NOT NULL,
  -- Of the access token. NULL: the system does not say.
  expires_at timestamptz(3),
  -- Grows with each token that is stored.
  version bigint NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  signed_in_by text NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  -- Who renews it now, and until when nobody else does.
  renewal_id text COLLATE "C",
  renewal_until timestamptz(3),
  -- Requests for a renewal of this version that left and were not answered.
  unanswered integer NOT NULL DEFAULT 0,
  -- Why it can't be renewed. After `retry_at` it is tried all the same; NULL: never.
  problem jsonb,
  retry_at timestamptz(3)
);
CREATE INDEX oauth_grant_of ON oauth_grant (instance_id);

CREATE TABLE oauth_sign_in (
  id text COLLATE "C" PRIMARY KEY,
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  connector_id text COLLATE "C" NOT NULL REFERENCES connector (id) ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the state; NULL once an answer came with it.
  state_hash text COLLATE "C" UNIQUE,
  -- The code verifier of PKCE.
  sealed text NOT NULL,
  binding jsonb NOT NULL,
  is_own_window boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
  problem jsonb,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX oauth_sign_in_of ON oauth_sign_in (instance_id, connector_id, user_id);
CREATE INDEX oauth_sign_in_end ON oauth_sign_in (expires_at);
