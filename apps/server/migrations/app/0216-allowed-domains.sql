-- Domains of e-mail addresses that dashboards of an instance may be shared with; without any, all may.
CREATE TABLE allowed_domain (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  domain text COLLATE "C" NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (instance_id, domain)
);
-- Everything that is shared in an instance, by address.
CREATE INDEX share_address ON share (instance_id, email, id);
