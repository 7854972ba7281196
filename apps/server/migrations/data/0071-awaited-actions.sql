-- Actions that a page waits for are begun by its run; all others by whoever finds them due, again if that one vanished.
ALTER TABLE sync_action ADD COLUMN awaited boolean NOT NULL DEFAULT false;
UPDATE sync_action SET awaited = true WHERE state = 'BEGUN' AND key IS NOT NULL AND attempts = 1;
