-- When what an outside record shows was last decided on, where readings since then only showed what was written to it:
-- values that were refused then still stand. NULL: when it was read last (seen_at).
ALTER TABLE link ADD COLUMN decided_at timestamptz;
