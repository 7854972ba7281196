-- Notifications that concern one person alone, such as the end of an export of theirs. Null: whoever holds the roles.
ALTER TABLE notification ADD COLUMN user_id text COLLATE "C" REFERENCES app_user (id) ON DELETE CASCADE;
CREATE INDEX notification_of_user ON notification (user_id) WHERE user_id IS NOT NULL;
