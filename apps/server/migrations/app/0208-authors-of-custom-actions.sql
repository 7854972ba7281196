-- Who made a custom action, and who saved it last: user id and name as it was then. null: saved before this was stored.
ALTER TABLE custom_action ADD COLUMN created_by jsonb, ADD COLUMN updated_by jsonb;
