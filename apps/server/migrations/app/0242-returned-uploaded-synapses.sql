-- How a submission of an uploaded synapse ended without an approval: its author reads why.
ALTER TABLE sdk_synapse_version
  ADD COLUMN returned_as text CHECK (returned_as IN ('WITHDRAWN', 'REFUSED')),
  ADD COLUMN return_reason text,
  ADD COLUMN returned_at timestamptz(3);
