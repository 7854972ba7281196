-- Values that a core field can't hold, found without reading the ledger: a pipeline's health counts those that stand.
CREATE INDEX ledger_not_convertible ON ledger (place, external_id)
  WHERE (refused #>> '{}') LIKE '%"not_convertible"%';
