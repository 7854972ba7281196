-- Records of all pipelines that wait in quarantine, newest first: most entries are resolved ones by now.
CREATE INDEX quarantine_unresolved ON quarantine (id) WHERE status <> 'RESOLVED';
