-- Mails are deleted some time after they were written, unless they still wait to be sent.
CREATE INDEX mail_created ON mail (created_at) WHERE status <> 'WAITING';
