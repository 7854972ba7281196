/** A webhook: other systems post records here; what arrived is kept and read from there like any other source. */
import { ConnectorError, defineConnector } from "@accord/connector-sdk";
import { WEBHOOK_CONFIG_FIELDS, WebhookConfig, webhookEditProblems } from "./config.ts";
import { readPosts } from "./read.ts";
import { PAYLOAD, schemaOf } from "./schema.ts";

export { lastPostRead } from "./read.ts";
export { recordsIn } from "./records.ts";
export { pickRecords, tryPayload, type PickedRecords, type TriedPayload } from "./trial.ts";
export { WebhookConfig } from "./config.ts";

export { PAYLOAD } from "./schema.ts";

export const webhookConnector = defineConnector({
  type: "webhook",
  displayName: "Webhook",
  category: "api",
  description: "An address other systems post records to. Each post is kept before it is answered, and synced at once.",
  icon: "webhook",
  backgroundColor: "teal",
  config: WebhookConfig,
  configFields: WEBHOOK_CONFIG_FIELDS,
  authMethods: [
    {
      type: "apiSecretKey",
      label: "Signature (HMAC)",
      fields: [{ name: "secret", label: "Secret", datatype: "password", required: true, secret: true }],
    },
    {
      type: "bearerToken",
      label: "Bearer token",
      fields: [{ name: "token", label: "Token", datatype: "password", required: true, secret: true }],
    },
    {
      type: "apiKey",
      label: "API key",
      fields: [{ name: "key", label: "Key", datatype: "password", required: true, secret: true }],
    },
    {
      type: "userPassword",
      label: "User and password",
      fields: [
        { name: "user", label: "User", datatype: "string", required: true },
        { name: "password", label: "Password", datatype: "password", required: true, secret: true },
      ],
    },
  ],
  capabilities: ["read", "readChanges", "readByWatermark"],
  readPageSize: 500,
  writeBatchSize: 1,
  readDelaySeconds: 0,
  hosts: () => [],
  destinations: () => [],
  editProblems: webhookEditProblems,

  connect: (context, config) => ({
    async check() {
      schemaOf(config);
    },
    async *discover({ only }) {
      if (!only || only.includes(PAYLOAD)) yield { entity: schemaOf(config), done: 1, total: 1 };
    },
    async read(request) {
      if (!context.readInbox) throw new ConnectorError("configuration", "Nothing is received in this place.");
      return readPosts(context.readInbox, config, request);
    },
    async close() {},
  }),
});
