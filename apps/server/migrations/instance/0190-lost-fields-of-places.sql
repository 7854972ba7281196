-- Fields that a place was without at some time: {"field": {"loss", "isGone"}}, losses counted for each place.
ALTER TABLE place ADD COLUMN lost_fields jsonb NOT NULL DEFAULT '{}';
