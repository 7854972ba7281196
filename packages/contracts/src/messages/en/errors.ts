/** What each error code says to people. `{{name}}` is filled from the error's facts. Each message names what to do. */
import type { ErrorCode } from "../../errors.ts";

export const errors: Record<ErrorCode, { message: string; description?: string }> = {
  validation_failed: { message: "Some of what was sent can't be used.", description: "See the fields below." },
  malformed_body: { message: "The request could not be read.", description: "{{reason}}" },
  not_signed_in: { message: "Please sign in." },
  session_expired: { message: "Your session has ended. Please sign in again." },
  invalid_credentials: { message: "The e-mail address or the password is wrong." },
  password_expired: { message: "Your password has expired. Please set a new one." },
  forbidden: {
    message: "You don't have permission to do this.",
    description: "Ask an administrator for: {{permission}}",
  },
  forgery_check_failed: {
    message: "This request did not come from a page of Accord.",
    description: "Reload the page and try again.",
  },
  not_found: {
    message: "{{what}} not found",
    description: "It may have been deleted, or it belongs to another instance.",
  },
  method_not_allowed: { message: "This address can't be used that way." },
  stale_version: {
    message: "Somebody else changed this in the meantime.",
    description: "Load the newer version and apply your change again.",
  },
  name_taken: { message: "The name {{name}} is already taken. Please choose another one." },
  in_use: { message: "This is still in use.", description: "Remove it from where it is used first." },
  in_published_dashboards: {
    message: "Published dashboards show this.",
    description: "They keep showing it as it was published, until they are published again without it.",
  },
  feature_disabled: {
    message: "{{feature}} is turned off for this instance.",
    description: "An administrator of the instance can turn it on.",
  },
  external_view_off: {
    message: "The external view is not configured.",
    description: "Somebody who may enter credentials of services can configure it under Settings.",
  },
  access_error: {
    message: "{{system}} gives no access.",
    description: "{{reason}}",
  },
  assistant_off: {
    message: "The assistant for data cards is not configured.",
    description: "Somebody who may enter credentials of services can choose the built-in rules or a language model.",
  },
  question_not_understood: {
    message: "Nothing could be made of this question.",
    description: "{{reason}}",
  },
  assistant_answer_invalid: {
    message: "The model's answer can't be used.",
    description: "{{reason}}",
  },
  dataset_parts_in_use: {
    message: "Columns or variables that this change removes are in use.",
    description: "What uses them can't be drawn until it is changed. Confirm to remove them.",
  },
  invalid_state: { message: "This can't be done now.", description: "{{reason}}" },
  idempotency_conflict: {
    message: "The same Idempotency-Key was used for a different request.",
    description: "Use a new key for each new request.",
  },
  body_too_large: { message: "This is too large to send.", description: "The limit is {{limit}}." },
  unsupported_media_type: { message: "This call expects {{expected}}." },
  wrong_host: {
    message: "This server does not answer to that name.",
    description:
      "Open it by its own address. An operator sets that with ACCORD_URL, and further names with ACCORD_HOSTS.",
  },
  too_many_tries: { message: "Too many tries. Please wait {{wait}} and try again." },
  internal_error: {
    message: "Something went wrong on our side.",
    description: "Please try again; the request id helps support.",
  },
  server_busy: { message: "The server is busy. Please try again in a moment." },
  database_unavailable: { message: "The database can't be reached. Please try again in a moment." },
  upstream_failed: { message: "{{system}} answered with an error.", description: "{{reason}}" },
  upstream_timeout: { message: "{{system}} did not answer in time." },
  token_invalid: { message: "This link was used already or has expired.", description: "Ask for a new one." },
  password_too_weak: { message: "This password is too easy to guess.", description: "{{reason}}" },
  last_admin: {
    message: "An organisation needs at least one active administrator.",
    description: "Make somebody else organisation administrator first.",
  },
  role_not_grantable: { message: "You can only give rights that you hold yourself.", description: "{{reason}}" },
  connector_not_active: { message: "{{name}} is not active.", description: "Activate the synapse first." },
  connector_check_failed: { message: "The connection failed.", description: "{{reason}}" },
  connector_busy: { message: "The synapse is busy. Please wait until it is done." },
  schema_refresh_running: { message: "The schema is being read. Please wait until it is done." },
  credential_host_changed: {
    message: "The stored credentials were entered for {{hosts}}, not for {{host}}.",
    description: "Enter the credentials again to use them there.",
  },
  breaking_changes: {
    message: "Connections of {{name}} may stop working.",
    description: "Look at what changes, and confirm it.",
  },
  outbound_refused: {
    message: "The server may not connect to {{host}}.",
    description: "An operator can allow it with ACCORD_OUTBOUND_ALLOW.",
  },
  field_value_invalid: { message: "Some values don't fit their fields.", description: "See the fields below." },
  record_deleted: { message: "This record has been deleted." },
  pipeline_read_only: { message: "This version can't be changed.", description: "Create a draft to make changes." },
  pipeline_invalid: { message: "The pipeline has problems.", description: "Mend the listed problems first." },
  pipeline_not_published: { message: "The pipeline has not been published yet." },
  resync_on_paused: { message: "The pipeline is paused.", description: "Resume it before a resync." },
  resync_running: { message: "A resync is already running." },
  reconciliation_running: { message: "A reconciliation of this pipeline is already running." },
  test_running: {
    message: "A test of this pipeline is running.",
    description: "The pipeline can't be changed and no other test can start until it has ended.",
  },
  test_failed: { message: "Test failed", description: "{{reason}}" },
  data_card_on_dashboard: {
    message: "This data card is already on the dashboard.",
    description: "A dashboard shows each card once.",
  },
  dashboard_has_no_draft: { message: "This dashboard has no draft to publish." },
  dashboard_seeded: { message: "This is a sample dashboard. It can't be changed; copy it instead." },
  dataset_invalid: { message: "The dataset has problems.", description: "{{reason}}" },
  too_many_exports: {
    message: "This instance has as many exports as it can keep.",
    description: "Delete some that are no longer needed, or wait: each is deleted after a day.",
  },
  too_many_alerts: {
    message: "No more alerts can be kept: {{limit}} of {{what}}.",
    description: "Delete some that are no longer needed.",
  },
  file_unreadable: { message: "The file can't be read.", description: "{{reason}}" },
  too_many_files: {
    message: "This instance has as many uploaded files as it can keep: {{files}}, or {{total}} in all.",
    description: "Delete some that are no longer needed, or ask the operator of the server for more room.",
  },
  query_timeout: { message: "This took too long.", description: "Narrow it with a filter or a shorter period." },
  answer_too_large: {
    message: "The answer would be larger than {{limit}}.",
    description: "Ask for less: fewer rows or columns, or a filter.",
  },
  domain_not_allowed: {
    message: "Dashboards can't be shared with {{emails}}: only addresses at {{domains}} are allowed.",
    description: "Leave these addresses out, or ask an administrator to allow their domains.",
  },
  share_expired: { message: "This shared dashboard has expired.", description: "Ask the sender to share it again." },
  share_password_required: { message: "Please enter the password of this shared dashboard." },
};
