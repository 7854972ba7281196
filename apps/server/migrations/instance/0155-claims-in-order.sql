-- Deliveries are claimed in this order: with the record in the index a claim reads as many rows as it takes, not all
-- that fell due at the same moment.
DROP INDEX delivery_due;
CREATE INDEX delivery_due ON delivery (place, next_at, record_id) WHERE NOT parked;
