-- The names of all redirect addresses that were ever given, in any instance, also of connections that moved on or were
-- deleted: the app at a system may still send people to them, so none is given again.
CREATE TABLE redirect_name (
  name text COLLATE "C" PRIMARY KEY
);
INSERT INTO redirect_name SELECT redirect_name FROM connector WHERE redirect_name IS NOT NULL;

CREATE FUNCTION keep_redirect_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.redirect_name IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.redirect_name IS DISTINCT FROM OLD.redirect_name) THEN
    INSERT INTO redirect_name (name) VALUES (NEW.redirect_name);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER connector_keep_redirect_name AFTER INSERT OR UPDATE OF redirect_name ON connector
  FOR EACH ROW EXECUTE FUNCTION keep_redirect_name();
