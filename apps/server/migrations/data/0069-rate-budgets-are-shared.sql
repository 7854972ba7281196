-- What a system said is left of its budget, less what all processes have taken since; null where it does not say.
ALTER TABLE connector_rate
  ADD COLUMN left_calls integer,
  ADD COLUMN limit_calls integer,
  ADD COLUMN reset_at timestamptz,
  -- The longest time told until the budget is new: how long the next one is taken to last before it is told.
  ADD COLUMN window_ms integer;
