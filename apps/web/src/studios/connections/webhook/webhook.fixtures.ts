/** A webhook, posts to it, and a server that answers for them: what tests of its screens share. */
import { ConnectorDetail, type ConnectorType } from "@accord/contracts/connections/connectors";
import { InputDefinition } from "@accord/contracts/config/inputs";
import { WebhookLogEntry, WebhookPost } from "@accord/contracts/connections/webhooks";

const NOW = "2026-11-01T10:00:00.000Z";
export const HOOK = "7".repeat(24);
export const ADDRESS = "https://accord.example.com/webhooks/abc";

export const hook = (more: object = {}): ConnectorDetail =>
  ConnectorDetail.parse({
    ...{ id: HOOK, connectorId: HOOK, name: "Shop orders", status: "ACTIVE", schemaRefreshStatus: "SUCCESS" },
    ...{ metadataId: "webhook", connectorMetaDefinitionId: "webhook", typeName: "Webhook", iconUri: "webhook" },
    metadata: { id: "webhook", displayName: "Webhook", icon: "webhook", backgroundColor: "teal", capabilities: [] },
    ...{ backgroundColor: "teal", draftId: null, draftStatus: null, custom: false, httpSource: false, webhook: true },
    ...{
      oauthRedirectUrl: null,
      oauthRedirectName: null,
      errorMessage: null,
      errorDetails: null,
      autoSchemaSyncEntities: [],
    },
    ...{ entityCount: 1, schemaRefreshedAt: null, progress: null, authType: "apiSecretKey" },
    ...{ credentialFields: ["secret"], version: 4, createdAt: NOW, updatedAt: NOW },
    config: { sample: '{"orders":[{"id":"7"}]}', recordSelector: "orders", idSelector: "id", signature: "standard" },
    ...{ credentialValues: {}, entities: [], usedBy: [] },
    ...more,
  });

export const WEBHOOK_TYPE: ConnectorType = {
  ...{ id: "webhook", displayName: "Webhook", category: "api", description: "", icon: "webhook" },
  ...{ backgroundColor: "teal", capabilities: [], configFields: [] },
  authMethods: [
    {
      type: "apiSecretKey",
      label: "Signature (HMAC)",
      fields: [
        InputDefinition.parse({ name: "secret", label: "Secret", datatype: "password", required: true, secret: true }),
      ],
    },
    {
      type: "apiKey",
      label: "API key",
      fields: [
        InputDefinition.parse({ name: "key", label: "Key", datatype: "password", required: true, secret: true }),
      ],
    },
  ],
};

export const entry = (more: Partial<WebhookLogEntry> = {}): WebhookLogEntry =>
  WebhookLogEntry.parse({
    ...{ at: NOW, kind: "post", number: 3, outcome: "accepted", status: 202, code: null, times: 1 },
    ...{ messageId: "one", size: 23, recordCount: 1, replayOf: null, body: '{"orders":[{"id":"7"}]}' },
    ...more,
  });

export const post = (more: Partial<WebhookPost> = {}): WebhookPost =>
  WebhookPost.parse({
    ...entry(),
    headers: [
      { name: "content-type", value: "application/json" },
      { name: "webhook-signature", value: null },
    ],
    ...{ isCut: false, isHidden: false },
    picked: { count: 1, records: [{ id: "7", values: { webhookRecordId: "7", buyer: "Ada" } }], bad: [] },
    ...more,
  });
