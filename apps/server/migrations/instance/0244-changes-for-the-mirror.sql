-- Changes of records since the columnar mirror of analytics copied them. `xid` says in which snapshots a change is visible:
-- the order of commits is not that of numbers, so that a mirror takes what its last snapshot did not see. Kept for minutes.
CREATE TABLE mirror_change (
  relation oid NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- NULL: too many to name.
  ids text[] COLLATE "C"
);
CREATE INDEX mirror_change_relation ON mirror_change (relation, xid);
CREATE INDEX mirror_change_at ON mirror_change (at);

-- Up to which transaction changes were removed: a mirror whose snapshot is older copies the table anew.
CREATE TABLE mirror_pruned (
  relation oid PRIMARY KEY,
  through xid8 NOT NULL
);
