-- Database app

TABLE allowed_domain (
  instance_id text COLLATE "C" NOT NULL
  domain text COLLATE "C" NOT NULL
  created_by text NOT NULL
  created_at timestamp(3) with time zone NOT NULL
  allowed_domain_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  allowed_domain_pkey PRIMARY KEY (instance_id, domain)
)
TABLE app_user (
  id text COLLATE "C" NOT NULL
  organisation_id text COLLATE "C"
  email text NOT NULL
  first_name text NOT NULL
  last_name text NOT NULL
  photo text
  time_zone text DEFAULT 'UTC'::text NOT NULL
  status text NOT NULL
  password_hash text
  password_changed_at timestamp with time zone
  password_expired boolean DEFAULT false NOT NULL
  org_admin boolean DEFAULT false NOT NULL
  super_admin boolean DEFAULT false NOT NULL
  ghost_user boolean DEFAULT false NOT NULL
  preferences jsonb DEFAULT '{}'::jsonb NOT NULL
  last_instance_id text COLLATE "C"
  created_at timestamp with time zone NOT NULL
  updated_at timestamp with time zone NOT NULL
  last_entered_at timestamp with time zone
  app_user_email_check CHECK ((email = lower(email)))
  app_user_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE
  app_user_pkey PRIMARY KEY (id)
  app_user_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'INACTIVE'::text])))
)
CREATE INDEX app_user_email ON public.app_user USING btree (email)
CREATE INDEX app_user_organisation ON public.app_user USING btree (organisation_id)
CREATE UNIQUE INDEX app_user_account ON public.app_user USING btree (organisation_id, email) WHERE (status <> 'PENDING'::text)
TABLE audit_entry (
  id text COLLATE "C" NOT NULL
  organisation_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C"
  user_id text COLLATE "C"
  user_email text NOT NULL
  action text NOT NULL
  target_kind text
  target_id text COLLATE "C"
  target_name text
  details jsonb
  request_id text NOT NULL
  address text NOT NULL
  at timestamp with time zone NOT NULL
  audit_entry_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE
  audit_entry_pkey PRIMARY KEY (id)
)
CREATE INDEX audit_entry_organisation ON public.audit_entry USING btree (organisation_id, id DESC)
TABLE card_alert (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  card_id text COLLATE "C" NOT NULL
  owner_id text COLLATE "C"
  name text NOT NULL
  watch jsonb NOT NULL
  condition jsonb NOT NULL
  every_minutes integer NOT NULL
  recipients text[] COLLATE "C" NOT NULL
  sends_mail boolean DEFAULT false NOT NULL
  webhook text
  webhook_origin text
  webhook_problem text
  version integer DEFAULT 1 NOT NULL
  latch text DEFAULT 'UNKNOWN'::text NOT NULL
  outcome text
  value double precision
  value_text text
  mark text
  problem text
  failures integer DEFAULT 0 NOT NULL
  notices integer DEFAULT 0 NOT NULL
  checked_at timestamp(3) with time zone
  crossed_at timestamp(3) with time zone
  next_at timestamp(3) with time zone NOT NULL
  run_id text COLLATE "C"
  lease_until timestamp with time zone
  created_at timestamp(3) with time zone NOT NULL
  updated_at timestamp(3) with time zone NOT NULL
  card_alert_card_id_fkey FOREIGN KEY (card_id) REFERENCES data_card(id) ON DELETE CASCADE
  card_alert_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  card_alert_latch_check CHECK ((latch = ANY (ARRAY['UNKNOWN'::text, 'OK'::text, 'CROSSED'::text])))
  card_alert_outcome_check CHECK ((outcome = ANY (ARRAY['VALUE'::text, 'NO_VALUE'::text, 'FAILED'::text])))
  card_alert_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES app_user(id) ON DELETE SET NULL
  card_alert_pkey PRIMARY KEY (id)
)
CREATE INDEX card_alert_card ON public.card_alert USING btree (card_id, id)
CREATE INDEX card_alert_due ON public.card_alert USING btree (next_at)
CREATE INDEX card_alert_instance ON public.card_alert USING btree (instance_id, next_at)
CREATE INDEX card_alert_owner ON public.card_alert USING btree (owner_id)
TABLE card_alert_delivery (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  alert_id text COLLATE "C" NOT NULL
  user_id text COLLATE "C"
  content jsonb NOT NULL
  attempts integer DEFAULT 0 NOT NULL
  next_at timestamp(3) with time zone NOT NULL
  run_id text COLLATE "C"
  lease_until timestamp with time zone
  card_alert_delivery_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES card_alert(id) ON DELETE CASCADE
  card_alert_delivery_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  card_alert_delivery_pkey PRIMARY KEY (id)
  card_alert_delivery_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
)
CREATE INDEX card_alert_delivery_alert ON public.card_alert_delivery USING btree (alert_id)
CREATE INDEX card_alert_delivery_due ON public.card_alert_delivery USING btree (next_at)
CREATE INDEX card_alert_delivery_instance ON public.card_alert_delivery USING btree (instance_id)
CREATE INDEX card_alert_delivery_user ON public.card_alert_delivery USING btree (user_id)
TABLE connector (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  name text NOT NULL
  type text NOT NULL
  config jsonb NOT NULL
  auth_type text NOT NULL
  status text NOT NULL
  schema_status text NOT NULL
  problem jsonb
  progress jsonb
  auto_schema_entities jsonb DEFAULT '[]'::jsonb NOT NULL
  schema_refreshed_at timestamp(3) with time zone
  activated_at timestamp(3) with time zone
  version integer DEFAULT 1 NOT NULL
  created_at timestamp(3) with time zone NOT NULL
  created_by text COLLATE "C" NOT NULL
  updated_at timestamp(3) with time zone NOT NULL
  schema_request integer DEFAULT 0 NOT NULL
  redirect_name text COLLATE "C" DEFAULT replace((gen_random_uuid())::text, '-'::text, ''::text)
  redirect_origins jsonb
  connector_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  connector_pkey PRIMARY KEY (id)
  connector_schema_status_check CHECK ((schema_status = ANY (ARRAY['NEW'::text, 'PROCESSING'::text, 'SUCCESS'::text, 'ERROR'::text])))
  connector_status_check CHECK ((status = ANY (ARRAY['NEW'::text, 'AUTHENTICATED'::text, 'ACTIVATING'::text, 'ACTIVE'::text, 'ERROR'::text, 'INACTIVE'::text, 'DELETED'::text])))
)
CREATE INDEX connector_of_synapse ON public.connector USING btree (type) WHERE (type ~ '^[0-9a-f]{24}$'::text)
CREATE INDEX connector_of_uploaded ON public.connector USING btree (type) WHERE (type ~~ 'sdk:%'::text)
CREATE UNIQUE INDEX connector_name ON public.connector USING btree (instance_id, lower(name)) WHERE (status <> 'DELETED'::text)
CREATE UNIQUE INDEX connector_redirect_name ON public.connector USING btree (redirect_name)
CREATE TRIGGER connector_keep_redirect_name AFTER INSERT OR UPDATE OF redirect_name ON public.connector FOR EACH ROW EXECUTE FUNCTION keep_redirect_name()
TABLE connector_entity (
  instance_id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  api_name text NOT NULL
  definition jsonb NOT NULL
  status text NOT NULL
  id_field text
  watermark_field text
  refreshed_at timestamp(3) with time zone NOT NULL
  connector_entity_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE
  connector_entity_pkey PRIMARY KEY (connector_id, api_name)
  connector_entity_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text])))
)
TABLE connector_file (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  name text NOT NULL
  state text NOT NULL
  size bigint NOT NULL
  received bigint DEFAULT 0 NOT NULL
  piece_bytes integer NOT NULL
  fingerprint text NOT NULL
  row_count bigint
  number bigint IDENTITY NOT NULL
  user_id text COLLATE "C" NOT NULL
  created_by text NOT NULL
  created_at timestamp(3) with time zone NOT NULL
  changed_at timestamp(3) with time zone NOT NULL
  connector_file_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE
  connector_file_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  connector_file_pkey PRIMARY KEY (id)
  connector_file_state_check CHECK ((state = ANY (ARRAY['RECEIVING'::text, 'RECEIVED'::text, 'READY'::text])))
)
CREATE INDEX connector_file_of ON public.connector_file USING btree (instance_id, connector_id)
CREATE INDEX connector_file_unused ON public.connector_file USING btree (changed_at) WHERE (state <> 'READY'::text)
CREATE UNIQUE INDEX connector_file_ready ON public.connector_file USING btree (connector_id, name) WHERE (state = 'READY'::text)
TABLE connector_file_piece (
  instance_id text COLLATE "C" NOT NULL
  file_id text COLLATE "C" NOT NULL
  number integer NOT NULL
  content bytea NOT NULL
  connector_file_piece_file_id_fkey FOREIGN KEY (file_id) REFERENCES connector_file(id) ON DELETE CASCADE
  connector_file_piece_pkey PRIMARY KEY (file_id, number)
)
TABLE core_entity (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  api_name text COLLATE "C" NOT NULL
  version integer DEFAULT 0 NOT NULL
  created_at timestamp with time zone NOT NULL
  updated_at timestamp with time zone NOT NULL
  core_entity_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX core_entity_api_name ON public.core_entity USING btree (instance_id, lower(api_name))
CREATE TRIGGER core_entity_schema_change AFTER INSERT OR DELETE OR UPDATE ON public.core_entity FOR EACH ROW EXECUTE FUNCTION count_schema_change()
TABLE core_entity_version (
  instance_id text COLLATE "C" NOT NULL
  entity_id text COLLATE "C" NOT NULL
  version integer NOT NULL
  state text NOT NULL
  revision integer DEFAULT 0 NOT NULL
  definition jsonb NOT NULL
  updated_at timestamp with time zone NOT NULL
  updated_by text NOT NULL
  published_at timestamp with time zone
  published_by text
  core_entity_version_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES core_entity(id) ON DELETE CASCADE
  core_entity_version_pkey PRIMARY KEY (entity_id, version)
  core_entity_version_state_check CHECK ((state = ANY (ARRAY['NEW'::text, 'DRAFT'::text, 'APPROVED'::text, 'ARCHIVED'::text])))
)
CREATE INDEX core_entity_version_instance ON public.core_entity_version USING btree (instance_id, state)
CREATE UNIQUE INDEX core_entity_one_draft ON public.core_entity_version USING btree (entity_id) WHERE (state = ANY (ARRAY['NEW'::text, 'DRAFT'::text]))
CREATE UNIQUE INDEX core_entity_one_published ON public.core_entity_version USING btree (entity_id) WHERE (state = 'APPROVED'::text)
CREATE TRIGGER core_entity_version_schema_change AFTER INSERT OR DELETE OR UPDATE ON public.core_entity_version FOR EACH ROW EXECUTE FUNCTION count_schema_change()
TABLE credential (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  hosts jsonb NOT NULL
  plain jsonb NOT NULL
  secret_names jsonb NOT NULL
  sealed text NOT NULL
  updated_at timestamp(3) with time zone NOT NULL
  credential_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE
  credential_connector_id_key UNIQUE (connector_id)
  credential_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  credential_pkey PRIMARY KEY (id)
)
TABLE custom_action (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  api_name text NOT NULL
  definition jsonb NOT NULL
  secret text
  secret_host text
  revision integer DEFAULT 0 NOT NULL
  updated_at timestamp with time zone NOT NULL
  created_by jsonb
  updated_by jsonb
  custom_action_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX custom_action_name ON public.custom_action USING btree (instance_id, lower(api_name))
TABLE custom_role (
  id text COLLATE "C" NOT NULL
  organisation_id text COLLATE "C" NOT NULL
  name text NOT NULL
  description text DEFAULT ''::text NOT NULL
  permissions text[] NOT NULL
  created_at timestamp with time zone NOT NULL
  updated_at timestamp with time zone NOT NULL
  version integer DEFAULT 1 NOT NULL
  custom_role_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE
  custom_role_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX custom_role_name ON public.custom_role USING btree (organisation_id, lower(name))
TABLE dashboard (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  parent_id text COLLATE "C"
  draft_status text NOT NULL
  name text NOT NULL
  display_name text NOT NULL
  description text NOT NULL
  tags text[] NOT NULL
  cards jsonb NOT NULL
  variables jsonb NOT NULL
  seeded boolean DEFAULT false NOT NULL
  is_example boolean DEFAULT false NOT NULL
  version integer DEFAULT 1 NOT NULL
  created_by text NOT NULL
  updated_by text NOT NULL
  updated_at timestamp(3) with time zone NOT NULL
  dashboard_check CHECK (((parent_id IS NULL) OR (draft_status = 'NEW'::text)))
  dashboard_draft_status_check CHECK ((draft_status = ANY (ARRAY['NEW'::text, 'APPROVED'::text])))
  dashboard_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  dashboard_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES dashboard(id) ON DELETE SET NULL
  dashboard_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX dashboard_name ON public.dashboard USING btree (instance_id, lower(name)) WHERE (parent_id IS NULL)
CREATE UNIQUE INDEX dashboard_one_draft ON public.dashboard USING btree (parent_id) WHERE (parent_id IS NOT NULL)
TABLE dashboard_publication (
  instance_id text COLLATE "C" NOT NULL
  dashboard_id text COLLATE "C" NOT NULL
  cards jsonb NOT NULL
  datasets jsonb NOT NULL
  published_by text NOT NULL
  published_at timestamp(3) with time zone NOT NULL
  dashboard_publication_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE
  dashboard_publication_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  dashboard_publication_pkey PRIMARY KEY (dashboard_id)
)
CREATE INDEX dashboard_publication_instance ON public.dashboard_publication USING btree (instance_id)
TABLE dashboard_visit (
  user_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  dashboard_id text COLLATE "C" NOT NULL
  dashboard_visit_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  dashboard_visit_pkey PRIMARY KEY (user_id, instance_id)
)
TABLE data_card (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  name text NOT NULL
  display_name text NOT NULL
  description text NOT NULL
  tags text[] NOT NULL
  dataset_id text COLLATE "C" NOT NULL
  configuration jsonb NOT NULL
  version integer DEFAULT 1 NOT NULL
  updated_by text NOT NULL
  updated_at timestamp(3) with time zone NOT NULL
  created_by text NOT NULL
  data_card_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  data_card_pkey PRIMARY KEY (id)
)
CREATE INDEX data_card_dataset ON public.data_card USING btree (instance_id, dataset_id)
CREATE UNIQUE INDEX data_card_name ON public.data_card USING btree (instance_id, lower(name))
TABLE dataset (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  name text NOT NULL
  display_name text NOT NULL
  description text NOT NULL
  tags text[] NOT NULL
  config jsonb NOT NULL
  version integer DEFAULT 1 NOT NULL
  updated_by text NOT NULL
  updated_at timestamp(3) with time zone NOT NULL
  created_by text NOT NULL
  dataset_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  dataset_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX dataset_name ON public.dataset USING btree (instance_id, lower(name))
TABLE dataset_export (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  dataset_id text COLLATE "C" NOT NULL
  user_id text COLLATE "C" NOT NULL
  created_by text NOT NULL
  format text NOT NULL
  variables jsonb NOT NULL
  file_name text NOT NULL
  status text NOT NULL
  rows_written bigint DEFAULT 0 NOT NULL
  total_rows bigint
  bytes bigint DEFAULT 0 NOT NULL
  error text
  attempts integer DEFAULT 0 NOT NULL
  run_id text COLLATE "C"
  lease_until timestamp with time zone
  created_at timestamp(3) with time zone NOT NULL
  expires_at timestamp(3) with time zone NOT NULL
  dataset_export_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id) ON DELETE CASCADE
  dataset_export_format_check CHECK ((format = ANY (ARRAY['CSV'::text, 'XLSX'::text])))
  dataset_export_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  dataset_export_pkey PRIMARY KEY (id)
  dataset_export_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])))
  dataset_export_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
)
CREATE INDEX dataset_export_dataset ON public.dataset_export USING btree (dataset_id)
CREATE INDEX dataset_export_expires ON public.dataset_export USING btree (expires_at)
CREATE INDEX dataset_export_own ON public.dataset_export USING btree (instance_id, dataset_id, user_id, created_at DESC)
CREATE INDEX dataset_export_queued ON public.dataset_export USING btree (instance_id, created_at, id) WHERE (status = 'QUEUED'::text)
CREATE INDEX dataset_export_user ON public.dataset_export USING btree (user_id)
CREATE UNIQUE INDEX dataset_export_running ON public.dataset_export USING btree (instance_id) WHERE (status = 'RUNNING'::text)
TABLE dataset_export_chunk (
  instance_id text COLLATE "C" NOT NULL
  export_id text COLLATE "C" NOT NULL
  number integer NOT NULL
  content bytea NOT NULL
  dataset_export_chunk_export_id_fkey FOREIGN KEY (export_id) REFERENCES dataset_export(id) ON DELETE CASCADE
  dataset_export_chunk_pkey PRIMARY KEY (export_id, number)
)
TABLE error_report (
  id text COLLATE "C" NOT NULL
  organisation_id text COLLATE "C"
  user_id text COLLATE "C"
  phone_home_id text NOT NULL
  report jsonb NOT NULL
  created_at timestamp with time zone NOT NULL
  error_report_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE
  error_report_pkey PRIMARY KEY (id)
)
TABLE external_view (
  instance_id text COLLATE "C" NOT NULL
  provider text COLLATE "C" NOT NULL
  definition jsonb NOT NULL
  secret text NOT NULL
  origins text[] NOT NULL
  version integer NOT NULL
  updated_at timestamp(3) with time zone NOT NULL
  external_view_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  external_view_pkey PRIMARY KEY (instance_id)
)
TABLE field_pipeline_draft (
  entity_id text COLLATE "C" NOT NULL
  field text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  graph jsonb NOT NULL
  ready boolean DEFAULT false NOT NULL
  revision integer DEFAULT 1 NOT NULL
  updated_at timestamp with time zone NOT NULL
  updated_by jsonb NOT NULL
  field_pipeline_draft_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES pipeline(entity_id) ON DELETE CASCADE
  field_pipeline_draft_pkey PRIMARY KEY (entity_id, field)
)
TABLE http_synapse (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  name text NOT NULL
  icon text
  share_scope text NOT NULL
  published_version integer
  draft jsonb
  draft_revision integer DEFAULT 0 NOT NULL
  trial jsonb DEFAULT '{}'::jsonb NOT NULL
  trial_sealed text
  created_at timestamp with time zone NOT NULL
  created_by text COLLATE "C" NOT NULL
  updated_at timestamp with time zone NOT NULL
  http_synapse_check CHECK (((published_version IS NOT NULL) OR (draft IS NOT NULL)))
  http_synapse_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  http_synapse_pkey PRIMARY KEY (id)
  http_synapse_share_scope_check CHECK ((share_scope = ANY (ARRAY['PRIVATE'::text, 'SUBSCRIPTION'::text, 'INSTANCES'::text, 'GLOBAL'::text])))
)
CREATE UNIQUE INDEX http_synapse_name ON public.http_synapse USING btree (instance_id, lower(name))
TABLE http_synapse_share (
  synapse_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  shared_with text COLLATE "C" NOT NULL
  http_synapse_share_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  http_synapse_share_pkey PRIMARY KEY (synapse_id, shared_with)
  http_synapse_share_shared_with_fkey FOREIGN KEY (shared_with) REFERENCES instance(id) ON DELETE CASCADE
  http_synapse_share_synapse_id_fkey FOREIGN KEY (synapse_id) REFERENCES http_synapse(id) ON DELETE CASCADE
)
TABLE http_synapse_version (
  synapse_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  version integer NOT NULL
  definition jsonb NOT NULL
  published_at timestamp with time zone NOT NULL
  published_by text COLLATE "C" NOT NULL
  http_synapse_version_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  http_synapse_version_pkey PRIMARY KEY (synapse_id, version)
  http_synapse_version_synapse_id_fkey FOREIGN KEY (synapse_id) REFERENCES http_synapse(id) ON DELETE CASCADE
)
TABLE idempotency_key (
  scope text COLLATE "C" NOT NULL
  key text COLLATE "C" NOT NULL
  request_hash text COLLATE "C" NOT NULL
  reply text
  created_at timestamp with time zone NOT NULL
  owner text COLLATE "C"
  idempotency_key_pkey PRIMARY KEY (scope, key)
)
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at)
TABLE installation (
  one boolean DEFAULT true NOT NULL
  organisation_id text COLLATE "C" NOT NULL
  admin_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C"
  demo boolean NOT NULL
  password_untold boolean NOT NULL
  installation_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES app_user(id)
  installation_one_check CHECK (one)
  installation_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id)
  installation_pkey PRIMARY KEY (one)
)
TABLE instance (
  id text COLLATE "C" NOT NULL
  organisation_id text COLLATE "C" NOT NULL
  subscription_id text COLLATE "C" NOT NULL
  name text NOT NULL
  display_name text NOT NULL
  type text NOT NULL
  status text NOT NULL
  quotas jsonb DEFAULT '{}'::jsonb NOT NULL
  trial_started_at timestamp with time zone
  ghost_access boolean DEFAULT true NOT NULL
  disabled_features text[] DEFAULT '{InsightsProvider}'::text[] NOT NULL
  created_by text COLLATE "C"
  created_at timestamp with time zone NOT NULL
  updated_at timestamp with time zone NOT NULL
  version integer DEFAULT 1 NOT NULL
  schema_version bigint DEFAULT 0 NOT NULL
  instance_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE
  instance_pkey PRIMARY KEY (id)
  instance_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text, 'DELETING'::text, 'DELETED'::text])))
  instance_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id)
  instance_type_check CHECK ((type = ANY (ARRAY['production'::text, 'trial'::text, 'partner'::text])))
)
CREATE UNIQUE INDEX instance_name ON public.instance USING btree (organisation_id, lower(name)) WHERE (status <> 'DELETED'::text)
TABLE mail (
  id text COLLATE "C" NOT NULL
  organisation_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C"
  kind text NOT NULL
  recipient text NOT NULL
  subject text NOT NULL
  body text NOT NULL
  status text NOT NULL
  attempts integer DEFAULT 0 NOT NULL
  error text
  created_at timestamp with time zone NOT NULL
  sent_at timestamp with time zone
  link_kind text
  link_user_id text COLLATE "C"
  mail_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  mail_link_kind_check CHECK ((link_kind = ANY (ARRAY['invitation'::text, 'passwordReset'::text])))
  mail_link_user_id_fkey FOREIGN KEY (link_user_id) REFERENCES app_user(id) ON DELETE SET NULL
  mail_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE
  mail_pkey PRIMARY KEY (id)
  mail_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'KEPT'::text, 'FAILED'::text])))
)
CREATE INDEX mail_created ON public.mail USING btree (created_at) WHERE (status <> 'WAITING'::text)
CREATE INDEX mail_organisation ON public.mail USING btree (organisation_id, id DESC)
TABLE migration (
  name text COLLATE "C" NOT NULL
  checksum text NOT NULL
  applied_at timestamp with time zone DEFAULT now() NOT NULL
  migration_pkey PRIMARY KEY (name)
)
TABLE notification (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  subject text COLLATE "C" NOT NULL
  severity text COLLATE "C" NOT NULL
  message text NOT NULL
  detail text DEFAULT ''::text NOT NULL
  link text DEFAULT ''::text NOT NULL
  roles text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL
  created_at timestamp with time zone NOT NULL
  user_id text COLLATE "C"
  notification_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  notification_instance_id_subject_key UNIQUE (instance_id, subject)
  notification_pkey PRIMARY KEY (id)
  notification_severity_check CHECK ((severity = ANY (ARRAY['success'::text, 'info'::text, 'warning'::text, 'error'::text])))
  notification_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
)
CREATE INDEX notification_age ON public.notification USING btree (created_at)
CREATE INDEX notification_of_instance ON public.notification USING btree (instance_id, id)
CREATE INDEX notification_of_user ON public.notification USING btree (user_id) WHERE (user_id IS NOT NULL)
TABLE notification_seen (
  user_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  up_to text COLLATE "C" NOT NULL
  notification_seen_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  notification_seen_pkey PRIMARY KEY (user_id, instance_id)
  notification_seen_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
)
TABLE oauth_grant (
  connector_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  binding jsonb NOT NULL
  sealed text NOT NULL
  is_renewed boolean NOT NULL
  expires_at timestamp(3) with time zone
  version bigint NOT NULL
  user_id text COLLATE "C" NOT NULL
  signed_in_by text NOT NULL
  signed_in_at timestamp(3) with time zone NOT NULL
  renewal_id text COLLATE "C"
  renewal_until timestamp(3) with time zone
  unanswered integer DEFAULT 0 NOT NULL
  problem jsonb
  retry_at timestamp(3) with time zone
  failures integer DEFAULT 0 NOT NULL
  failure jsonb
  next_at timestamp(3) with time zone
  renewed_at timestamp(3) with time zone
  account jsonb
  oauth_grant_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE
  oauth_grant_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  oauth_grant_pkey PRIMARY KEY (connector_id)
)
CREATE INDEX oauth_grant_of ON public.oauth_grant USING btree (instance_id)
TABLE oauth_sign_in (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  user_id text COLLATE "C" NOT NULL
  session_id text COLLATE "C" NOT NULL
  state_hash text COLLATE "C"
  sealed text NOT NULL
  binding jsonb NOT NULL
  is_own_window boolean NOT NULL
  status text NOT NULL
  problem jsonb
  started_at timestamp(3) with time zone DEFAULT now() NOT NULL
  expires_at timestamp(3) with time zone NOT NULL
  other_account jsonb
  oauth_sign_in_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE
  oauth_sign_in_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  oauth_sign_in_pkey PRIMARY KEY (id)
  oauth_sign_in_state_hash_key UNIQUE (state_hash)
  oauth_sign_in_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text])))
)
CREATE INDEX oauth_sign_in_end ON public.oauth_sign_in USING btree (expires_at)
CREATE INDEX oauth_sign_in_of ON public.oauth_sign_in USING btree (instance_id, connector_id, user_id)
TABLE one_time_token (
  token_hash text COLLATE "C" NOT NULL
  kind text NOT NULL
  user_id text COLLATE "C" NOT NULL
  created_at timestamp with time zone NOT NULL
  expires_at timestamp with time zone NOT NULL
  used_at timestamp with time zone
  one_time_token_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'passwordReset'::text])))
  one_time_token_pkey PRIMARY KEY (token_hash)
  one_time_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
)
CREATE INDEX one_time_token_user ON public.one_time_token USING btree (user_id, kind)
TABLE organisation (
  id text COLLATE "C" NOT NULL
  name text NOT NULL
  logo text
  password_expiry_days integer
  created_at timestamp with time zone NOT NULL
  organisation_password_expiry_days_check CHECK ((password_expiry_days > 0))
  organisation_pkey PRIMARY KEY (id)
)
TABLE pipeline (
  entity_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  revision integer DEFAULT 0 NOT NULL
  settings jsonb DEFAULT '{}'::jsonb NOT NULL
  merge_config jsonb DEFAULT '{}'::jsonb NOT NULL
  published_version_id text COLLATE "C"
  modified_at timestamp with time zone NOT NULL
  modified_by jsonb NOT NULL
  pipeline_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES core_entity(id) ON DELETE CASCADE
  pipeline_pkey PRIMARY KEY (entity_id)
)
CREATE INDEX pipeline_instance ON public.pipeline USING btree (instance_id)
TABLE pipeline_draft (
  entity_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  graph jsonb NOT NULL
  outline jsonb NOT NULL
  updated_at timestamp with time zone NOT NULL
  updated_by jsonb NOT NULL
  pipeline_draft_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES pipeline(entity_id) ON DELETE CASCADE
  pipeline_draft_pkey PRIMARY KEY (entity_id)
)
TABLE pipeline_fragment (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  context text NOT NULL
  name text NOT NULL
  description text NOT NULL
  content jsonb NOT NULL
  created_by jsonb NOT NULL
  created_at timestamp with time zone NOT NULL
  pipeline_fragment_context_check CHECK ((context = ANY (ARRAY['entity'::text, 'field'::text])))
  pipeline_fragment_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX pipeline_fragment_name ON public.pipeline_fragment USING btree (instance_id, context, lower(name))
TABLE pipeline_fragment_hidden (
  instance_id text COLLATE "C" NOT NULL
  fragment_id text COLLATE "C" NOT NULL
  pipeline_fragment_hidden_fragment_id_fkey FOREIGN KEY (fragment_id) REFERENCES pipeline_fragment(id) ON DELETE CASCADE
  pipeline_fragment_hidden_pkey PRIMARY KEY (instance_id, fragment_id)
)
CREATE INDEX pipeline_fragment_hidden_fragment ON public.pipeline_fragment_hidden USING btree (fragment_id)
TABLE pipeline_fragment_share (
  instance_id text COLLATE "C" NOT NULL
  fragment_id text COLLATE "C" NOT NULL
  pipeline_fragment_share_fragment_id_fkey FOREIGN KEY (fragment_id) REFERENCES pipeline_fragment(id) ON DELETE CASCADE
  pipeline_fragment_share_pkey PRIMARY KEY (instance_id, fragment_id)
)
CREATE INDEX pipeline_fragment_share_fragment ON public.pipeline_fragment_share USING btree (fragment_id)
TABLE pipeline_version (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  entity_id text COLLATE "C" NOT NULL
  number integer NOT NULL
  name text NOT NULL
  summary text NOT NULL
  graph jsonb NOT NULL
  outline jsonb NOT NULL
  settings jsonb NOT NULL
  published_at timestamp with time zone NOT NULL
  published_by jsonb NOT NULL
  field_graphs jsonb DEFAULT '{}'::jsonb NOT NULL
  pipeline_version_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES pipeline(entity_id) ON DELETE CASCADE
  pipeline_version_entity_id_number_key UNIQUE (entity_id, number)
  pipeline_version_pkey PRIMARY KEY (id)
)
TABLE rate_limit (
  scope text COLLATE "C" NOT NULL
  key text COLLATE "C" NOT NULL
  window_ends_at timestamp with time zone NOT NULL
  attempts integer NOT NULL
  slot_at timestamp with time zone
  next_at timestamp with time zone
  rate_limit_pkey PRIMARY KEY (scope, key)
)
CREATE INDEX rate_limit_end ON public.rate_limit USING btree (window_ends_at)
TABLE record_columns (
  instance_id text COLLATE "C" NOT NULL
  user_id text COLLATE "C" NOT NULL
  entity_id text COLLATE "C" NOT NULL
  columns text[] NOT NULL
  record_columns_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES core_entity(id) ON DELETE CASCADE
  record_columns_pkey PRIMARY KEY (user_id, entity_id)
)
CREATE TRIGGER record_columns_schema_change AFTER INSERT OR DELETE OR UPDATE ON public.record_columns FOR EACH ROW EXECUTE FUNCTION count_schema_change()
TABLE redirect_name (
  name text COLLATE "C" NOT NULL
  redirect_name_pkey PRIMARY KEY (name)
)
TABLE saved_filter (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  entity_id text COLLATE "C" NOT NULL
  name text NOT NULL
  description text NOT NULL
  criteria jsonb NOT NULL
  tags text[] NOT NULL
  version integer DEFAULT 1 NOT NULL
  created_by_id text COLLATE "C" NOT NULL
  created_by text NOT NULL
  created_at timestamp with time zone NOT NULL
  updated_by text NOT NULL
  updated_at timestamp with time zone NOT NULL
  saved_filter_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES core_entity(id) ON DELETE CASCADE
  saved_filter_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX saved_filter_name ON public.saved_filter USING btree (instance_id, entity_id, created_by_id, lower(name))
TABLE saved_filter_bookmark (
  filter_id text COLLATE "C" NOT NULL
  user_id text COLLATE "C" NOT NULL
  saved_filter_bookmark_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES saved_filter(id) ON DELETE CASCADE
  saved_filter_bookmark_pkey PRIMARY KEY (user_id, filter_id)
)
TABLE sdk_synapse (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  name text NOT NULL
  display_name text NOT NULL
  publish_to_global boolean NOT NULL
  is_global boolean DEFAULT false NOT NULL
  scope text DEFAULT 'PRIVATE'::text NOT NULL
  deployment_status text
  deployment_message text
  version integer DEFAULT 1 NOT NULL
  created_at timestamp(3) with time zone NOT NULL
  sdk_synapse_deployment_status_check CHECK ((deployment_status = ANY (ARRAY['ACTIVE'::text, 'DEPLOY_IN_PROGRESS'::text, 'DELETE_IN_PROGRESS'::text, 'ERROR'::text])))
  sdk_synapse_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  sdk_synapse_pkey PRIMARY KEY (id)
  sdk_synapse_scope_check CHECK ((scope = ANY (ARRAY['PRIVATE'::text, 'SUBSCRIPTION'::text, 'SELECTED'::text])))
)
CREATE UNIQUE INDEX sdk_synapse_name ON public.sdk_synapse USING btree (instance_id, lower(name))
TABLE sdk_synapse_share (
  instance_id text COLLATE "C" NOT NULL
  synapse_id text COLLATE "C" NOT NULL
  sdk_synapse_share_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  sdk_synapse_share_pkey PRIMARY KEY (instance_id, synapse_id)
  sdk_synapse_share_synapse_id_fkey FOREIGN KEY (synapse_id) REFERENCES sdk_synapse(id) ON DELETE CASCADE
)
CREATE INDEX sdk_synapse_share_synapse ON public.sdk_synapse_share USING btree (synapse_id)
TABLE sdk_synapse_version (
  instance_id text COLLATE "C" NOT NULL
  synapse_id text COLLATE "C" NOT NULL
  number integer NOT NULL
  approval_status text NOT NULL
  code_name text NOT NULL
  code bytea NOT NULL
  requirements bytea NOT NULL
  icon bytea
  content_hash text NOT NULL
  approved_hash text
  approved_global boolean
  description jsonb
  authors text[] COLLATE "C" NOT NULL
  uploaded_by text COLLATE "C" NOT NULL
  uploaded_at timestamp(3) with time zone NOT NULL
  submitted_by text COLLATE "C"
  submitted_at timestamp(3) with time zone
  approved_by text COLLATE "C"
  approved_at timestamp(3) with time zone
  returned_as text
  return_reason text
  returned_at timestamp(3) with time zone
  sdk_synapse_version_approval_status_check CHECK ((approval_status = ANY (ARRAY['NEW'::text, 'SUBMIT_FOR_APPROVAL'::text, 'APPROVAL_IN_PROGRESS'::text, 'APPROVED'::text, 'ARCHIVED'::text])))
  sdk_synapse_version_pkey PRIMARY KEY (synapse_id, number)
  sdk_synapse_version_returned_as_check CHECK ((returned_as = ANY (ARRAY['WITHDRAWN'::text, 'REFUSED'::text])))
  sdk_synapse_version_synapse_id_fkey FOREIGN KEY (synapse_id) REFERENCES sdk_synapse(id) ON DELETE CASCADE
)
CREATE UNIQUE INDEX sdk_synapse_draft ON public.sdk_synapse_version USING btree (synapse_id) WHERE (approval_status = ANY (ARRAY['NEW'::text, 'SUBMIT_FOR_APPROVAL'::text, 'APPROVAL_IN_PROGRESS'::text]))
CREATE UNIQUE INDEX sdk_synapse_published ON public.sdk_synapse_version USING btree (synapse_id) WHERE (approval_status = 'APPROVED'::text)
TABLE service_provider (
  instance_id text COLLATE "C" NOT NULL
  service text COLLATE "C" NOT NULL
  definition jsonb NOT NULL
  secret text
  host text NOT NULL
  updated_at timestamp with time zone NOT NULL
  service_provider_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  service_provider_pkey PRIMARY KEY (instance_id, service)
)
TABLE session (
  id text COLLATE "C" NOT NULL
  token_hash text COLLATE "C" NOT NULL
  user_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C"
  purpose text NOT NULL
  address text NOT NULL
  user_agent text NOT NULL
  created_at timestamp with time zone NOT NULL
  last_seen_at timestamp with time zone NOT NULL
  session_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE SET NULL
  session_pkey PRIMARY KEY (id)
  session_purpose_check CHECK ((purpose = ANY (ARRAY['full'::text, 'passwordChange'::text])))
  session_token_hash_key UNIQUE (token_hash)
  session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
)
CREATE INDEX session_of_user ON public.session USING btree (user_id)
TABLE share (
  instance_id text COLLATE "C" NOT NULL
  id text COLLATE "C" NOT NULL
  dashboard_id text COLLATE "C" NOT NULL
  email text NOT NULL
  password_hash text
  expires_at timestamp(3) with time zone
  shared_by text NOT NULL
  shared_at timestamp(3) with time zone NOT NULL
  last_viewed_at timestamp(3) with time zone
  share_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE
  share_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  share_pkey PRIMARY KEY (id)
)
CREATE INDEX share_address ON public.share USING btree (instance_id, email, id)
CREATE INDEX share_newest ON public.share USING btree (dashboard_id, shared_at DESC, id DESC)
CREATE UNIQUE INDEX share_recipient ON public.share USING btree (dashboard_id, email)
TABLE share_code (
  share_id text COLLATE "C" NOT NULL
  code_hash text COLLATE "C" NOT NULL
  expires_at timestamp(3) with time zone NOT NULL
  share_code_pkey PRIMARY KEY (share_id, code_hash)
  share_code_share_id_fkey FOREIGN KEY (share_id) REFERENCES share(id) ON DELETE CASCADE
)
CREATE INDEX share_code_end ON public.share_code USING btree (expires_at)
TABLE share_session (
  token_hash text NOT NULL
  instance_id text COLLATE "C" NOT NULL
  email text NOT NULL
  expires_at timestamp(3) with time zone NOT NULL
  share_session_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  share_session_pkey PRIMARY KEY (token_hash)
)
TABLE share_session_item (
  token_hash text NOT NULL
  share_id text COLLATE "C" NOT NULL
  share_session_item_pkey PRIMARY KEY (token_hash, share_id)
  share_session_item_share_id_fkey FOREIGN KEY (share_id) REFERENCES share(id) ON DELETE CASCADE
  share_session_item_token_hash_fkey FOREIGN KEY (token_hash) REFERENCES share_session(token_hash) ON DELETE CASCADE
)
CREATE INDEX share_session_item_share ON public.share_session_item USING btree (share_id)
TABLE subscription (
  id text COLLATE "C" NOT NULL
  organisation_id text COLLATE "C" NOT NULL
  name text NOT NULL
  type text NOT NULL
  status text NOT NULL
  created_at timestamp with time zone NOT NULL
  created_by text COLLATE "C"
  deleted_at timestamp with time zone
  deleted_by text COLLATE "C"
  subscription_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisation(id) ON DELETE CASCADE
  subscription_pkey PRIMARY KEY (id)
  subscription_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DELETED'::text])))
  subscription_type_check CHECK ((type = ANY (ARRAY['standard'::text, 'trial'::text, 'partner'::text])))
)
CREATE INDEX subscription_organisation ON public.subscription USING btree (organisation_id)
TABLE user_role (
  user_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  role text COLLATE "C" NOT NULL
  user_role_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  user_role_pkey PRIMARY KEY (user_id, instance_id, role)
  user_role_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
)
CREATE INDEX user_role_instance ON public.user_role USING btree (instance_id)
TABLE webhook_draft (
  connector_id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  name text NOT NULL
  config jsonb NOT NULL
  auth_type text NOT NULL
  saved_at timestamp with time zone NOT NULL
  webhook_draft_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE
  webhook_draft_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON DELETE CASCADE
  webhook_draft_pkey PRIMARY KEY (connector_id)
)
TABLE worker_heartbeat (
  process_id text COLLATE "C" NOT NULL
  seen_at timestamp with time zone NOT NULL
  worker_heartbeat_pkey PRIMARY KEY (process_id)
)
CREATE OR REPLACE FUNCTION public.count_schema_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE instance SET schema_version = schema_version + 1
   WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.instance_id ELSE NEW.instance_id END;
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.keep_redirect_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.redirect_name IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.redirect_name IS DISTINCT FROM OLD.redirect_name) THEN
    INSERT INTO redirect_name (name) VALUES (NEW.redirect_name);
  END IF;
  RETURN NULL;
END $function$


-- Database data

TABLE migration (
  name text COLLATE "C" NOT NULL
  checksum text NOT NULL
  applied_at timestamp with time zone DEFAULT now() NOT NULL
  migration_pkey PRIMARY KEY (name)
)
TABLE rate_budget (
  instance_id text COLLATE "C" NOT NULL
  key text COLLATE "C" NOT NULL
  open_at timestamp with time zone NOT NULL
  left_calls integer
  limit_calls integer
  reset_at timestamp with time zone
  window_ms integer
  rate_budget_pkey PRIMARY KEY (instance_id, key)
)
TABLE replication_slot (
  name text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  pipeline text COLLATE "C" NOT NULL
  node text COLLATE "C" NOT NULL
  retained_bytes bigint
  level text NOT NULL
  measured_at timestamp with time zone NOT NULL
  dropped_at timestamp with time zone
  dropped_bytes bigint
  replication_slot_pkey PRIMARY KEY (name)
)
CREATE INDEX replication_slot_instance ON public.replication_slot USING btree (instance_id)
TABLE sealed_instance (
  instance_id text COLLATE "C" NOT NULL
  sealed_at timestamp with time zone DEFAULT now() NOT NULL
  sealed_instance_pkey PRIMARY KEY (instance_id)
)
TABLE sealing_pass (
  what text COLLATE "C" NOT NULL
  part text COLLATE "C" NOT NULL
  after text COLLATE "C"
  finished_at timestamp with time zone
  sealing_pass_pkey PRIMARY KEY (what, part)
)
TABLE sync_action (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  version_number integer NOT NULL
  node_id text COLLATE "C" NOT NULL
  label text NOT NULL
  action text COLLATE "C" NOT NULL
  key text COLLATE "C"
  external_id text COLLATE "C"
  record_id text COLLATE "C"
  work jsonb NOT NULL
  state text COLLATE "C" DEFAULT 'DUE'::text NOT NULL
  attempts integer DEFAULT 0 NOT NULL
  due_at timestamp with time zone DEFAULT now() NOT NULL
  held_until timestamp with time zone
  created_at timestamp with time zone DEFAULT now() NOT NULL
  ended_at timestamp with time zone
  outcome jsonb
  dismissed_at timestamp with time zone
  awaited boolean DEFAULT false NOT NULL
  sync_action_pkey PRIMARY KEY (id)
)
CREATE INDEX sync_action_due_of_instance ON public.sync_action USING btree (instance_id, due_at) WHERE (state = ANY (ARRAY['DUE'::text, 'BEGUN'::text]))
CREATE INDEX sync_action_ended ON public.sync_action USING btree (ended_at) WHERE (ended_at IS NOT NULL)
CREATE INDEX sync_action_failed ON public.sync_action USING btree (instance_id, pipeline_id, node_id) WHERE ((state = ANY (ARRAY['FAILED'::text, 'UNKNOWN'::text])) AND (dismissed_at IS NULL))
CREATE INDEX sync_action_of_pipeline ON public.sync_action USING btree (instance_id, pipeline_id, id)
CREATE INDEX sync_action_of_record ON public.sync_action USING btree (instance_id, record_id, id) WHERE (record_id IS NOT NULL)
CREATE UNIQUE INDEX sync_action_key ON public.sync_action USING btree (instance_id, pipeline_id, key) WHERE (key IS NOT NULL)
TABLE sync_look (
  instance_id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  place smallint NOT NULL
  due_at timestamp with time zone NOT NULL
  held_until timestamp with time zone
  ended_at timestamp with time zone
  problem jsonb
  sync_look_pkey PRIMARY KEY (instance_id, pipeline_id, place)
)
CREATE INDEX sync_look_due ON public.sync_look USING btree (due_at)
TABLE sync_pipeline (
  instance_id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  version_id text COLLATE "C" NOT NULL
  version_number integer NOT NULL
  published_at timestamp with time zone DEFAULT now() NOT NULL
  paused boolean DEFAULT false NOT NULL
  paused_by text
  error jsonb
  due_at timestamp with time zone DEFAULT now() NOT NULL
  poked boolean DEFAULT false NOT NULL
  owner text
  epoch bigint DEFAULT 0 NOT NULL
  lease_until timestamp with time zone
  cycle_number bigint
  cycle_began_at timestamp with time zone
  activity text DEFAULT 'Waiting'::text NOT NULL
  failures jsonb DEFAULT '{}'::jsonb NOT NULL
  last_cycle jsonb
  last_finished_at timestamp with time zone
  last_cycle_ms integer
  resync jsonb
  resync_turn boolean DEFAULT true NOT NULL
  last_resync_at timestamp with time zone
  read_all boolean DEFAULT false NOT NULL
  heard_at timestamp with time zone
  stalled_at timestamp with time zone
  probing boolean DEFAULT false NOT NULL
  whole_sources text[] DEFAULT '{}'::text[] NOT NULL
  broken_times integer DEFAULT 0 NOT NULL
  broken_since timestamp with time zone
  held_up jsonb DEFAULT '[]'::jsonb NOT NULL
  sync_pipeline_pkey PRIMARY KEY (instance_id, pipeline_id)
)
CREATE INDEX sync_pipeline_due ON public.sync_pipeline USING btree (due_at) WHERE (NOT paused)
TABLE sync_reconciliation (
  id text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  version_number integer NOT NULL
  status text COLLATE "C" DEFAULT 'WAITING'::text NOT NULL
  requested_by text NOT NULL
  requested_at timestamp with time zone DEFAULT now() NOT NULL
  began_at timestamp with time zone
  ended_at timestamp with time zone
  owner text
  lease_until timestamp with time zone
  attempts integer DEFAULT 0 NOT NULL
  is_cancel_requested boolean DEFAULT false NOT NULL
  progress jsonb DEFAULT '{}'::jsonb NOT NULL
  summary jsonb DEFAULT '{}'::jsonb NOT NULL
  problem text
  sync_reconciliation_pkey PRIMARY KEY (id)
)
CREATE INDEX sync_reconciliation_due ON public.sync_reconciliation USING btree (requested_at) WHERE (status = ANY (ARRAY['WAITING'::text, 'RUNNING'::text]))
CREATE INDEX sync_reconciliation_of_pipeline ON public.sync_reconciliation USING btree (instance_id, pipeline_id, id)
CREATE UNIQUE INDEX sync_reconciliation_active ON public.sync_reconciliation USING btree (instance_id, pipeline_id) WHERE (status = ANY (ARRAY['WAITING'::text, 'RUNNING'::text]))
TABLE webhook_endpoint (
  address text COLLATE "C" NOT NULL
  instance_id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  webhook_endpoint_instance_id_connector_id_key UNIQUE (instance_id, connector_id)
  webhook_endpoint_pkey PRIMARY KEY (address)
)
TABLE webhook_rate (
  address text COLLATE "C" NOT NULL
  minute timestamp with time zone NOT NULL
  posts integer NOT NULL
  webhook_rate_pkey PRIMARY KEY (address, minute)
)

-- Database data, schema of each instance

TABLE conflict (
  pipeline_id text COLLATE "C" NOT NULL
  record_id text COLLATE "C" NOT NULL
  field text NOT NULL
  place smallint NOT NULL
  value jsonb
  at text COLLATE "C" NOT NULL
  reason text NOT NULL
  noticed_at timestamp with time zone DEFAULT now() NOT NULL
  settled_at timestamp with time zone
  settled_by text
  conflict_pkey PRIMARY KEY (record_id, field, place)
)
CREATE INDEX conflict_open ON conflict USING btree (pipeline_id, record_id, field) WHERE (settled_at IS NULL)
TABLE cycle (
  number bigint NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  is_resync boolean NOT NULL
  version_number integer NOT NULL
  began_at timestamp with time zone NOT NULL
  finished_at timestamp with time zone NOT NULL
  outcome text NOT NULL
  counts jsonb NOT NULL
  problems jsonb NOT NULL
  lag_ms bigint
  cycle_pkey PRIMARY KEY (number)
)
CREATE INDEX cycle_finished ON cycle USING btree (pipeline_id, finished_at)
CREATE INDEX cycle_of_pipeline ON cycle USING btree (pipeline_id, number)
TABLE delivery (
  place smallint NOT NULL
  record_id text COLLATE "C" NOT NULL
  wanted integer DEFAULT 1 NOT NULL
  attempts integer DEFAULT 0 NOT NULL
  next_at timestamp with time zone DEFAULT now() NOT NULL
  parked boolean DEFAULT false NOT NULL
  intent text
  written text
  taken_id text
  taken_key text
  taken_times integer DEFAULT 0 NOT NULL
  enqueued_at timestamp with time zone DEFAULT now()
  last_error text
  unfit text COLLATE "C"
  delivery_pkey PRIMARY KEY (place, record_id)
)
CREATE INDEX delivery_due ON delivery USING btree (place, next_at, record_id) WHERE (NOT parked)
CREATE INDEX delivery_taken ON delivery USING btree (place, taken_id) WHERE (parked AND (taken_id IS NOT NULL))
CREATE INDEX delivery_unanswered ON delivery USING btree (place) WHERE (intent IS NOT NULL)
CREATE INDEX delivery_unfit ON delivery USING btree (place, unfit) WHERE (unfit IS NOT NULL)
TABLE ledger PARTITION BY RANGE (at) (
  number bigint DEFAULT nextval('ledger_number'::regclass) NOT NULL
  at timestamp(3) with time zone DEFAULT now() NOT NULL
  entity smallint NOT NULL
  record_id text COLLATE "C" NOT NULL
  operation text COLLATE "C" NOT NULL
  place smallint
  external_id text COLLATE "C"
  cycle bigint
  version_number integer
  user_id text COLLATE "C"
  user_name text
  changes json DEFAULT '{}'::json NOT NULL
  refused json
  ledger_pkey PRIMARY KEY (number, at)
)
CREATE INDEX ledger_record ON ONLY ledger USING btree (record_id, number)
CREATE INDEX ledger_refused ON ONLY ledger USING btree (place, number) WHERE ((refused #>> '{}'::text[]) ~~ '%"not_convertible"%'::text)
TABLE ledger_compaction (
  one boolean DEFAULT true NOT NULL
  "position" bigint DEFAULT 0 NOT NULL
  finished_at timestamp with time zone
  ledger_compaction_one_check CHECK (one)
  ledger_compaction_pkey PRIMARY KEY (one)
)
TABLE ledger_rest DEFAULT (
  number bigint DEFAULT nextval('ledger_number'::regclass) NOT NULL
  at timestamp(3) with time zone DEFAULT now() NOT NULL
  entity smallint NOT NULL
  record_id text COLLATE "C" NOT NULL
  operation text COLLATE "C" NOT NULL
  place smallint
  external_id text COLLATE "C"
  cycle bigint
  version_number integer
  user_id text COLLATE "C"
  user_name text
  changes json DEFAULT '{}'::json NOT NULL
  refused json
  ledger_rest_pkey PRIMARY KEY (number, at)
)
CREATE INDEX ledger_rest_place_number_idx ON ledger_rest USING btree (place, number) WHERE ((refused #>> '{}'::text[]) ~~ '%"not_convertible"%'::text)
CREATE INDEX ledger_rest_record_id_number_idx ON ledger_rest USING btree (record_id, number)
TABLE let_go_record (
  record_id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  version integer NOT NULL
  let_go_record_pkey PRIMARY KEY (record_id)
)
TABLE link (
  place smallint NOT NULL
  external_id text COLLATE "C" NOT NULL
  record_id text COLLATE "C" NOT NULL
  seen text COLLATE "C"
  told text COLLATE "C"
  refused text COLLATE "C"
  modified_at text COLLATE "C"
  dead boolean DEFAULT false NOT NULL
  seen_at timestamp with time zone
  told_at timestamp with time zone
  respelled text
  held_back jsonb
  decided_at timestamp with time zone
  link_pkey PRIMARY KEY (place, external_id)
)
CREATE UNIQUE INDEX link_record ON link USING btree (record_id, place)
TABLE merge (
  id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  at timestamp with time zone DEFAULT now() NOT NULL
  status text NOT NULL
  winner_id text COLLATE "C" NOT NULL
  loser_ids text[] NOT NULL
  cycle bigint
  place smallint
  before jsonb DEFAULT '{}'::jsonb NOT NULL
  changes jsonb DEFAULT '{}'::jsonb NOT NULL
  origin jsonb DEFAULT '{}'::jsonb NOT NULL
  moved jsonb DEFAULT '[]'::jsonb NOT NULL
  repointed jsonb DEFAULT '[]'::jsonb NOT NULL
  undone_at timestamp with time zone
  undone_by text
  merged_by text
  merge_pkey PRIMARY KEY (id)
)
CREATE INDEX merge_of_pipeline ON merge USING btree (pipeline_id, id)
CREATE INDEX merge_of_winner ON merge USING btree (winner_id)
CREATE UNIQUE INDEX merge_reported ON merge USING btree (pipeline_id, winner_id, loser_ids) WHERE (status = ANY (ARRAY['REPORTED'::text, 'TOO_MANY'::text]))
TABLE merged_record (
  loser_id text COLLATE "C" NOT NULL
  merge_id text COLLATE "C" NOT NULL
  winner_id text COLLATE "C" NOT NULL
  undone boolean DEFAULT false NOT NULL
  merged_record_pkey PRIMARY KEY (loser_id, merge_id, winner_id)
)
CREATE INDEX merged_into ON merged_record USING btree (winner_id)
TABLE migration (
  name text COLLATE "C" NOT NULL
  checksum text NOT NULL
  applied_at timestamp with time zone DEFAULT now() NOT NULL
  migration_pkey PRIMARY KEY (name)
)
TABLE mirror_change (
  relation oid NOT NULL
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL
  at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
  ids text[] COLLATE "C"
)
CREATE INDEX mirror_change_at ON mirror_change USING btree (at)
CREATE INDEX mirror_change_relation ON mirror_change USING btree (relation, xid)
TABLE mirror_pruned (
  relation oid NOT NULL
  through xid8 NOT NULL
  mirror_pruned_pkey PRIMARY KEY (relation)
)
TABLE missing_record (
  place smallint NOT NULL
  external_id text COLLATE "C" NOT NULL
  found_at timestamp with time zone DEFAULT now() NOT NULL
  is_listed boolean DEFAULT false NOT NULL
  missing_record_pkey PRIMARY KEY (place, external_id)
)
TABLE pending_reference (
  record_id text COLLATE "C" NOT NULL
  field text NOT NULL
  connector_id text COLLATE "C" NOT NULL
  entity text COLLATE "C" NOT NULL
  external_id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  place smallint
  at text COLLATE "C"
  pending_reference_pkey PRIMARY KEY (record_id, field)
)
CREATE INDEX pending_reference_of_pipeline ON pending_reference USING btree (pipeline_id)
CREATE INDEX pending_reference_target ON pending_reference USING btree (connector_id, entity, external_id)
TABLE pipeline_test (
  id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  field_id text COLLATE "C" NOT NULL
  name text NOT NULL
  records json NOT NULL
  expected json NOT NULL
  revision integer DEFAULT 1 NOT NULL
  updated_at timestamp with time zone DEFAULT now() NOT NULL
  pipeline_test_pkey PRIMARY KEY (id)
)
CREATE UNIQUE INDEX pipeline_test_name ON pipeline_test USING btree (pipeline_id, field_id, lower(name))
TABLE pipeline_test_result (
  run_id text COLLATE "C" NOT NULL
  "position" integer NOT NULL
  test_id text COLLATE "C" NOT NULL
  status text COLLATE "C" NOT NULL
  actual json NOT NULL
  records integer NOT NULL
  details json NOT NULL
  test_revision integer
  graphs_hash text COLLATE "C"
  pipeline_test_result_pkey PRIMARY KEY (run_id, "position")
  pipeline_test_result_run_id_fkey FOREIGN KEY (run_id) REFERENCES pipeline_test_run(id) ON DELETE CASCADE
)
CREATE INDEX pipeline_test_result_of_test ON pipeline_test_result USING btree (test_id, run_id)
TABLE pipeline_test_run (
  id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  field_id text COLLATE "C" NOT NULL
  kind text COLLATE "C" NOT NULL
  name text NOT NULL
  status text COLLATE "C" DEFAULT 'NEW'::text NOT NULL
  message text
  test_ids text[] NOT NULL
  graph_version text COLLATE "C" NOT NULL
  requested_by text NOT NULL
  requested_at timestamp with time zone DEFAULT now() NOT NULL
  began_at timestamp with time zone
  ended_at timestamp with time zone
  lease_until timestamp with time zone NOT NULL
  records integer DEFAULT 0 NOT NULL
  bytes integer DEFAULT 0 NOT NULL
  pipeline_test_run_pkey PRIMARY KEY (id)
)
CREATE INDEX pipeline_test_run_of_pipeline ON pipeline_test_run USING btree (pipeline_id, field_id, kind, id)
CREATE UNIQUE INDEX pipeline_test_run_under_way ON pipeline_test_run USING btree (pipeline_id) WHERE (status = ANY (ARRAY['NEW'::text, 'PROCESSING'::text]))
TABLE place (
  number smallint IDENTITY NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  entity text COLLATE "C" NOT NULL
  read_fields text[] DEFAULT '{}'::text[] NOT NULL
  told_fields text[] DEFAULT '{}'::text[] NOT NULL
  id_field text
  lost_fields jsonb DEFAULT '{}'::jsonb NOT NULL
  place_pipeline_id_connector_id_entity_key UNIQUE (pipeline_id, connector_id, entity)
  place_pkey PRIMARY KEY (number)
)
TABLE quarantine (
  id text COLLATE "C" NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  place smallint NOT NULL
  at timestamp with time zone DEFAULT now() NOT NULL
  direction text NOT NULL
  status text DEFAULT 'OPEN'::text NOT NULL
  external_id text COLLATE "C"
  record_id text COLLATE "C"
  node_id text
  code text NOT NULL
  message text NOT NULL
  attempts integer DEFAULT 1 NOT NULL
  payload jsonb
  dismissed_by text
  dismissed_at timestamp with time zone
  resolved_at timestamp with time zone
  known_until timestamp with time zone
  modified_at text COLLATE "C"
  quarantine_pkey PRIMARY KEY (id)
)
CREATE INDEX quarantine_cause ON quarantine USING btree (pipeline_id, code, place, direction, COALESCE(node_id, ''::text), id) WHERE (status <> 'RESOLVED'::text)
CREATE INDEX quarantine_of_pipeline ON quarantine USING btree (pipeline_id, id)
CREATE INDEX quarantine_of_record ON quarantine USING btree (record_id) WHERE (record_id IS NOT NULL)
CREATE INDEX quarantine_resolved ON quarantine USING btree (resolved_at) WHERE (status = 'RESOLVED'::text)
CREATE INDEX quarantine_resolved_cause ON quarantine USING btree (pipeline_id, code) WHERE (status = 'RESOLVED'::text)
CREATE INDEX quarantine_unresolved ON quarantine USING btree (id) WHERE (status <> 'RESOLVED'::text)
CREATE UNIQUE INDEX quarantine_open ON quarantine USING btree (place, direction, COALESCE(external_id, record_id, ''::text)) WHERE (status <> 'RESOLVED'::text)
TABLE reconciliation_difference (
  reconciliation_id text COLLATE "C" NOT NULL
  number bigint IDENTITY NOT NULL
  kind text COLLATE "C" NOT NULL
  reason text COLLATE "C" NOT NULL
  place smallint NOT NULL
  external_id text COLLATE "C"
  record_id text COLLATE "C"
  field text COLLATE "C"
  connector_field text COLLATE "C"
  outside_value jsonb
  core_value jsonb
  signature text COLLATE "C"
  is_unread boolean NOT NULL
  repair_requested_at timestamp with time zone
  reconciliation_difference_pkey PRIMARY KEY (reconciliation_id, number)
)
CREATE INDEX reconciliation_difference_of_kind ON reconciliation_difference USING btree (reconciliation_id, kind, reason, number)
TABLE reconciliation_listed (
  reconciliation_id text COLLATE "C" NOT NULL
  place smallint NOT NULL
  external_id text COLLATE "C" NOT NULL
  fingerprint text COLLATE "C"
  reconciliation_listed_pkey PRIMARY KEY (reconciliation_id, place, external_id)
)
TABLE reconciliation_suspect (
  reconciliation_id text COLLATE "C" NOT NULL
  place smallint NOT NULL
  external_id text COLLATE "C" NOT NULL
  record_id text COLLATE "C" NOT NULL
  digest text COLLATE "C" NOT NULL
  record jsonb
  reconciliation_suspect_pkey PRIMARY KEY (reconciliation_id, place, external_id, record_id)
)
TABLE reference_list (
  id text COLLATE "C" NOT NULL
  name text NOT NULL
  file_name text NOT NULL
  status text NOT NULL
  columns text[] NOT NULL
  total_records integer NOT NULL
  created_by text NOT NULL
  created_at timestamp with time zone NOT NULL
  imported_at timestamp with time zone NOT NULL
  version integer DEFAULT 1 NOT NULL
  reference_list_pkey PRIMARY KEY (id)
  reference_list_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DEACTIVATED'::text])))
)
CREATE UNIQUE INDEX reference_list_name ON reference_list USING btree (lower(name))
TABLE reference_row (
  list_id text COLLATE "C" NOT NULL
  "position" integer NOT NULL
  texts text[] NOT NULL
  keys bigint[] NOT NULL
  reference_row_list_id_fkey FOREIGN KEY (list_id) REFERENCES reference_list(id) ON DELETE CASCADE
  reference_row_pkey PRIMARY KEY (list_id, "position")
)
CREATE INDEX reference_row_keys ON reference_row USING gin (keys)
TABLE source_position (
  pipeline_id text COLLATE "C" NOT NULL
  node_id text COLLATE "C" NOT NULL
  cursor jsonb
  read_at timestamp with time zone
  through boolean DEFAULT true NOT NULL
  known_until timestamp with time zone
  source_position_pkey PRIMARY KEY (pipeline_id, node_id)
)
TABLE sync_entity (
  number smallint IDENTITY NOT NULL
  pipeline_id text COLLATE "C" NOT NULL
  sync_entity_pipeline_id_key UNIQUE (pipeline_id)
  sync_entity_pkey PRIMARY KEY (number)
)
TABLE unlinked_record (
  place smallint NOT NULL
  external_id text COLLATE "C" NOT NULL
  read_at timestamp with time zone DEFAULT now() NOT NULL
  unlinked_record_pkey PRIMARY KEY (place, external_id)
)
TABLE waiting_reference (
  place smallint NOT NULL
  record_id text COLLATE "C" NOT NULL
  connector_id text COLLATE "C" NOT NULL
  entity text COLLATE "C" NOT NULL
  target_id text COLLATE "C" NOT NULL
  waiting_reference_pkey PRIMARY KEY (place, record_id, connector_id, entity, target_id)
)
TABLE webhook_message (
  number bigint IDENTITY NOT NULL
  connector_id text COLLATE "C" NOT NULL
  message_id text COLLATE "C" NOT NULL
  received_at timestamp with time zone DEFAULT now() NOT NULL
  body text NOT NULL
  status integer NOT NULL
  held_until timestamp with time zone
  headers text
  size integer
  records integer
  replay_of bigint
  webhook_message_connector_id_message_id_key UNIQUE (connector_id, message_id)
  webhook_message_pkey PRIMARY KEY (number)
)
CREATE INDEX webhook_message_held ON webhook_message USING btree (connector_id, number) WHERE (held_until IS NOT NULL)
CREATE INDEX webhook_message_of_connector ON webhook_message USING btree (connector_id, number)
CREATE INDEX webhook_message_received ON webhook_message USING btree (connector_id, received_at)
CREATE INDEX webhook_message_without_records ON webhook_message USING btree (connector_id, received_at) WHERE (records = 0)
TABLE webhook_refusal (
  number bigint IDENTITY NOT NULL
  connector_id text COLLATE "C" NOT NULL
  at timestamp with time zone DEFAULT now() NOT NULL
  code text NOT NULL
  status integer NOT NULL
  headers text
  body text
  size integer
  times integer DEFAULT 1 NOT NULL
  is_proven boolean DEFAULT false NOT NULL
  kept_bytes integer DEFAULT 0 NOT NULL
  webhook_refusal_pkey PRIMARY KEY (number)
)
CREATE INDEX webhook_refusal_at ON webhook_refusal USING btree (at)
CREATE INDEX webhook_refusal_of_connector ON webhook_refusal USING btree (connector_id, number)
TABLE webhook_refusal_cut (
  connector_id text COLLATE "C" NOT NULL
  posts bigint NOT NULL
  webhook_refusal_cut_pkey PRIMARY KEY (connector_id)
)
