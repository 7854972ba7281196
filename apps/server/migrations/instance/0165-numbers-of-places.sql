-- Numbers of entities and places are few, and were used up by inserts that found their rows there: counting goes on behind the last that is in use.
SELECT setval(pg_get_serial_sequence('sync_entity', 'number'), (SELECT coalesce(max(number), 0) + 1 FROM sync_entity), false);
SELECT setval(pg_get_serial_sequence('place', 'number'), (SELECT coalesce(max(number), 0) + 1 FROM place), false);
