/** Drafts of a webhook's configuration: saved and discarded without any effect, then published. */
import { z } from "zod";
import { Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";

const params = z.strictObject({ connectorId: id("connector") });

const definition = {
  name: z.string().trim().min(1).max(120),
  config: Values,
  authType: z.string().max(40),
};

/** No secrets: they are entered when it is published. */
export const WebhookDraft = z.strictObject({ ...definition, savedAt: z.iso.datetime() });
export type WebhookDraft = z.output<typeof WebhookDraft>;

/** When the draft was saved that the caller saw: another one is neither replaced, published nor thrown away. */
const seenSavedAt = z.iso.datetime();

const reply = z.strictObject({ draft: WebhookDraft.nullable() });

export const getWebhookDraft = endpoint({
  name: "getWebhookDraft",
  method: "GET",
  path: "/connectors/:connectorId/webhook-draft",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "The draft of a webhook's configuration; null when there is none.",
  params,
  reply,
});

export const listWebhookDrafts = endpoint({
  name: "listWebhookDrafts",
  method: "GET",
  path: "/webhook-drafts",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "Which webhooks of the instance have a draft of their configuration.",
  reply: z.strictObject({
    drafts: z.array(z.strictObject({ connectorId: id("connector"), savedAt: z.iso.datetime() })),
  }),
});

export const saveWebhookDraft = endpoint({
  name: "saveWebhookDraft",
  method: "PUT",
  path: "/connectors/:connectorId/webhook-draft",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Creates or updates the draft. Nothing of it counts before it is published.",
  params,
  /** null: the caller saw none. */
  body: z.strictObject({ ...definition, seenSavedAt: seenSavedAt.nullable() }),
  reply,
  errors: ["validation_failed", "stale_version"],
});

export const discardWebhookDraft = endpoint({
  name: "discardWebhookDraft",
  method: "DELETE",
  path: "/connectors/:connectorId/webhook-draft",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Throws the draft away; what is published stays.",
  params,
  query: z.strictObject({ seenSavedAt }),
  reply,
  errors: ["stale_version"],
});

export const publishWebhookDraft = endpoint({
  name: "publishWebhookDraft",
  method: "POST",
  path: "/connectors/:connectorId/webhook-draft/publish",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Makes the draft the webhook's configuration, with new secrets where they are given.",
  params,
  body: z.strictObject({
    /** Of the connector. */
    version: z.int(),
    seenSavedAt,
    credentials: z.record(z.string().max(60), z.string().max(20_000)).default({}),
  }),
  reply: z.strictObject({}),
  errors: ["name_taken", "stale_version", "invalid_state", "validation_failed"],
});
