-- Parked as fields of the destination could not take its values: names what they took then. Such a delivery is due
-- again once the record changes, or they take something else; the ledger says which values these are.
ALTER TABLE delivery ADD COLUMN unfit text COLLATE "C";
CREATE INDEX delivery_unfit ON delivery (place, unfit) WHERE unfit IS NOT NULL;
