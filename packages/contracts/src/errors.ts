/** Every error code the API answers with, and its HTTP status. The words are in messages/en/errors.ts. */
export const ERROR_STATUS = {
  // General
  validation_failed: 400,
  malformed_body: 400,
  not_signed_in: 401,
  session_expired: 401,
  invalid_credentials: 401,
  password_expired: 403,
  forbidden: 403,
  forgery_check_failed: 403,
  not_found: 404,
  method_not_allowed: 405,
  stale_version: 409,
  name_taken: 409,
  in_use: 409,
  in_published_dashboards: 409,
  invalid_state: 409,
  idempotency_conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  wrong_host: 421,
  too_many_tries: 429,
  internal_error: 500,
  server_busy: 503,
  database_unavailable: 503,
  upstream_failed: 502,
  upstream_timeout: 504,
  // Identity
  token_invalid: 400,
  password_too_weak: 400,
  last_admin: 409,
  role_not_grantable: 403,
  // Connections
  connector_not_active: 409,
  connector_check_failed: 422,
  connector_busy: 409,
  schema_refresh_running: 409,
  outbound_refused: 422,
  credential_host_changed: 403,
  breaking_changes: 409,
  // Data
  field_value_invalid: 422,
  record_deleted: 409,
  // Sync
  pipeline_read_only: 409,
  pipeline_invalid: 422,
  pipeline_not_published: 409,
  resync_on_paused: 409,
  resync_running: 409,
  reconciliation_running: 409,
  test_running: 409,
  test_failed: 422,
  // Insights
  data_card_on_dashboard: 409,
  dashboard_has_no_draft: 409,
  dashboard_seeded: 409,
  dataset_invalid: 422,
  dataset_parts_in_use: 409,
  too_many_exports: 409,
  too_many_alerts: 409,
  too_many_files: 409,
  file_unreadable: 422,
  query_timeout: 422,
  answer_too_large: 422,
  feature_disabled: 403,
  external_view_off: 409,
  access_error: 422,
  assistant_off: 409,
  question_not_understood: 422,
  assistant_answer_invalid: 422,
  domain_not_allowed: 422,
  share_expired: 403,
  share_password_required: 401,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One problem with one field of what was sent. `path` is dotted: `fields.0.apiName`. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** The body of every refused call. */
export interface ErrorBody {
  message: string;
  description?: string;
  errors?: FieldProblem[];
  status: number;
  code: ErrorCode;
  /** Copyable; the server's log carries the same. */
  requestId?: string;
  /** Facts that belong to the code, e.g. the newer version on `stale_version`. */
  details?: Record<string, unknown>;
}
