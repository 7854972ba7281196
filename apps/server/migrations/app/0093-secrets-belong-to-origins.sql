-- Secrets are bound to origins (`https://host:port`) instead of hosts. They went to the address that is configured now;
-- where that names another host already, they stay as they are and have to be entered again.
UPDATE custom_action SET secret_host = regexp_replace(regexp_replace(
    lower(substring(definition ->> 'endpoint' FROM '^[a-zA-Z]+://[^/?#]+')), '^(https://.*):443$', '\1'), '^(http://.*):80$', '\1')
  WHERE secret_host = lower(substring(definition ->> 'endpoint' FROM '^[a-zA-Z]+://([^/?#]+)'));
UPDATE service_provider SET host = regexp_replace(regexp_replace(
    lower(substring(definition ->> 'endpoint' FROM '^[a-zA-Z]+://[^/?#]+')), '^(https://.*):443$', '\1'), '^(http://.*):80$', '\1')
  WHERE host = lower(substring(definition ->> 'endpoint' FROM '^[a-zA-Z]+://([^/?#]+)'));
