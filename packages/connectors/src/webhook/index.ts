/** A webhook: other systems post records here; what arrived is kept and read from there like any other source. */
import { ConnectorError, defineConnector, inferFields, titleOf } from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { WEBHOOK_CONFIG_FIELDS, WebhookConfig } from "./config.ts";
import { readPosts } from "./read.ts";
import { ID_FIELD, recordsIn } from "./records.ts";

export { lastPostRead } from "./read.ts";
export { recordsIn } from "./records.ts";
export { WebhookConfig } from "./config.ts";

/** The one entity of a webhook. */
export const PAYLOAD = "payload";

const isObject = (value: Value): value is { [name: string]: Value } =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function schemaOf(config: WebhookConfig): EntitySchema {
  const samples = recordsIn(JSON.parse(config.sample), config).filter(isObject);
  if (samples.length === 0)
    throw new ConnectorError("configuration", "The example holds no record at this path.", {
      hint: "Correct the path to the records, or the example.",
    });
  const id = FieldSchema.parse({ apiName: ID_FIELD, displayName: "Record id", dataType: "string" });
  const fields = inferFields(samples).filter(({ apiName }) => apiName !== ID_FIELD);
  return EntitySchema.parse({
    apiName: PAYLOAD,
    displayName: titleOf(PAYLOAD),
    readOnly: true,
    fields: [{ ...id, isIdField: true, unique: true }, ...fields],
  });
}

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
      label: "API key (x-api-key)",
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
