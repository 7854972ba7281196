-- Health counts and lists through indexes, and stops at a bound, whatever the size of the tables. The ledger comes first, as
-- in commits of pages; its old index is dropped last, since that locks it for reading too.

-- Values that a core field can't hold, of one place and the newest first: they are listed page by page.
CREATE INDEX ledger_refused ON ledger (place, number) WHERE (refused #>> '{}') LIKE '%"not_convertible"%';

-- Open quarantine entries cause by cause: each cause, its newest entry and how many there are.
CREATE INDEX quarantine_cause ON quarantine (pipeline_id, code, place, direction, (coalesce(node_id, '')), id)
  WHERE status <> 'RESOLVED';
-- Whether records were ever quarantined for a cause that no open entry has.
CREATE INDEX quarantine_resolved_cause ON quarantine (pipeline_id, code) WHERE status = 'RESOLVED';

DROP INDEX ledger_not_convertible;
