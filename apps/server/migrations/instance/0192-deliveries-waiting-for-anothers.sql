-- What is set aside since another record has the outside record that it was to get is tried again once that one has it
-- no more: found by that outside record. Without `taken_key` it was only found there, and no creation was answered so.
CREATE INDEX delivery_taken ON delivery (place, taken_id) WHERE parked AND taken_id IS NOT NULL;
