-- Records that are listed with other values than were read last: as time of change says nothing of that, they are asked for.
ALTER TABLE missing_record ADD COLUMN is_listed boolean NOT NULL DEFAULT false;
