/** Webhooks: the address other systems post to, and what came there. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";

const params = z.strictObject({ connectorId: id("connector") });

/** Where posts are received, beside the API: `/webhooks/{address}`. */
export const WEBHOOK_PATH = "/webhooks";

export const makeWebhookAddress = endpoint({
  name: "makeWebhookAddress",
  method: "POST",
  path: "/connectors/:connectorId/webhook-address",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "The address of a webhook, made when it has none; `renew` replaces it, the old one ends at once.",
  params,
  body: z.strictObject({ renew: z.boolean().default(false) }),
  reply: z.strictObject({ url: z.string() }),
  errors: ["invalid_state"],
});

export const WebhookLogEntry = z.strictObject({
  at: z.iso.datetime(),
  kind: z.enum(["post", "refusal"]),
  status: z.int(),
  /** Why it was refused. */
  code: z.string().nullable(),
  messageId: z.string().nullable(),
  /** Its beginning. */
  body: z.string().nullable(),
});

export const listWebhookLog = endpoint({
  name: "listWebhookLog",
  method: "GET",
  path: "/connectors/:connectorId/webhook-log",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "What was posted to a webhook and what was refused, the newest first.",
  params,
  query: z.strictObject({
    /** `at` of the last entry seen. */
    before: z.iso.datetime().optional(),
    count: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.strictObject({ entries: z.array(WebhookLogEntry) }),
});
