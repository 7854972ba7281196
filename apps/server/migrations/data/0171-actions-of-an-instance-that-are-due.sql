-- Instances take turns: each one's due actions are claimed by themselves.
CREATE INDEX sync_action_due_of_instance ON sync_action (instance_id, due_at) WHERE state IN ('DUE', 'BEGUN');
DROP INDEX sync_action_due;
