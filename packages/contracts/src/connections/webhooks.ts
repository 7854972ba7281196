/** Webhooks: the address other systems post to, what came there and what was refused, and trying a payload. */
import { z } from "zod";
import { FieldSchema } from "../data/schema.ts";
import { Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";

const params = z.strictObject({ connectorId: id("connector") });

/** Where posts are received, beside the API: `/webhooks/{address}`. */
export const WEBHOOK_PATH = "/webhooks";

/** Types that a field of a payload may be settled as. */
export const WEBHOOK_FIELD_TYPES = [
  "string",
  "integer",
  "double",
  "decimal",
  "boolean",
  "date",
  "datetime",
  "object",
] as const;

export const WEBHOOK_ICONS = ["webhook", "cart", "card", "message", "code", "calendar", "truck", "users"] as const;
export type WebhookIcon = (typeof WEBHOOK_ICONS)[number];

/** Codes that a taken post may be answered with. */
export const WEBHOOK_RESPONSE_CODES = [
  { code: 200, name: "OK" },
  { code: 201, name: "Created" },
  { code: 202, name: "Accepted" },
  { code: 203, name: "Non-Authoritative Information" },
  { code: 204, name: "No Content" },
] as const;

/** What an answer's template may name. */
export const WEBHOOK_ANSWER_VARIABLES = ["count", "id"] as const;

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

export const getWebhookAddress = endpoint({
  name: "getWebhookAddress",
  method: "GET",
  path: "/connectors/:connectorId/webhook-address",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "The address that others post to; null while none was made.",
  params,
  reply: z.strictObject({ url: z.string().nullable() }),
});

export const WEBHOOK_OUTCOMES = ["accepted", "noRecords", "refused"] as const;
export const WebhookOutcome = z.enum(WEBHOOK_OUTCOMES);
export type WebhookOutcome = z.infer<typeof WebhookOutcome>;

/** Why a post was refused. The last two are counted by the minute, without the posts themselves. */
export const WEBHOOK_REFUSALS = [
  "signature_wrong",
  "time_wrong",
  "id_missing",
  "malformed_body",
  "body_too_large",
  "not_active",
  "too_many_posts",
  "too_many_unproven",
] as const;
export type WebhookRefusal = (typeof WEBHOOK_REFUSALS)[number];

export const WebhookLogKind = z.enum(["post", "refusal"]);

export const WebhookLogEntry = z.strictObject({
  at: z.iso.datetime(),
  kind: WebhookLogKind,
  /** Unique among those of its kind. */
  number: z.int(),
  outcome: WebhookOutcome,
  /** What was answered. */
  status: z.int(),
  /** Why it was refused. */
  code: z.string().nullable(),
  /** How many posts this entry stands for. */
  times: z.int(),
  messageId: z.string().nullable(),
  /** Bytes of its body; null of posts that an older version kept. */
  size: z.int().nullable(),
  /** Records that were in it when it came. */
  recordCount: z.int().nullable(),
  /** Number of the post that it repeats. */
  replayOf: z.int().nullable(),
  /** Its beginning. null: there is none, or it may hold secret values. */
  body: z.string().nullable(),
});
export type WebhookLogEntry = z.output<typeof WebhookLogEntry>;

export const listWebhookLog = endpoint({
  name: "listWebhookLog",
  method: "GET",
  path: "/connectors/:connectorId/webhook-log",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "What was posted to a webhook and what was refused, the newest first.",
  params,
  query: cursorQuery({ count: 50, max: 200 }).extend({ outcome: WebhookOutcome.optional() }),
  reply: z.strictObject({
    entries: z.array(WebhookLogEntry),
    page: PageInfo,
    /** Refused posts that are no longer here, because newer ones took their place. */
    cut: z.int(),
  }),
  errors: ["validation_failed"],
});

const BadRecord = z.strictObject({ place: z.string(), id: z.string().optional(), message: z.string() });
const PickedRecord = z.strictObject({ id: z.string(), values: Values });
const PICKED = {
  /** All that the path leads to; the first ones are shown. */
  count: z.int(),
  records: z.array(PickedRecord),
  bad: z.array(BadRecord),
  /** Values are left out, as those of all shown records together are too large. */
  isCut: z.boolean().optional(),
};

export const WebhookPost = WebhookLogEntry.extend({
  /** By name; null: its value may prove who sends, so it is not kept. */
  headers: z.array(z.strictObject({ name: z.string(), value: z.string().nullable() })),
  /** There is more of it than is shown. */
  isCut: z.boolean(),
  /** It may hold values of password fields: nobody is shown them. */
  isHidden: z.boolean(),
  /** What the present paths lead to in it; null where nothing is read from it. */
  picked: z.strictObject(PICKED).nullable(),
});
export type WebhookPost = z.output<typeof WebhookPost>;

export const getWebhookPost = endpoint({
  name: "getWebhookPost",
  method: "GET",
  path: "/connectors/:connectorId/webhook-log/:kind/:number",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "One post to a webhook: its headers, its body, and the records that are picked from it.",
  params: params.extend({ kind: WebhookLogKind, number: z.coerce.number().int().min(1) }),
  reply: WebhookPost,
});

export const replayWebhookPost = endpoint({
  name: "replayWebhookPost",
  method: "POST",
  path: "/connectors/:connectorId/webhook-log/post/:number/replay",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Takes a post as if it had just come again: it is kept anew and read by the pipelines of the webhook.",
  params: params.extend({ number: z.coerce.number().int().min(1) }),
  body: z.strictObject({}),
  reply: z.strictObject({
    /** The number it was kept under now. */
    number: z.int(),
    status: z.int(),
    /** What a sender would have been answered; null where it may hold secret values. */
    answer: z.string().nullable(),
    recordCount: z.int(),
    /** Pipelines that read the webhook. */
    pipelineCount: z.int(),
  }),
  errors: ["invalid_state", "connector_not_active"],
});

export const tryWebhookPayload = endpoint({
  name: "tryWebhookPayload",
  method: "POST",
  path: "/connectors/try-webhook-payload",
  access: "TEST_CONNECTION",
  scope: "instance",
  summary: "What a webhook with this configuration would make of a payload. Nothing is stored.",
  body: z.strictObject({ config: Values, payload: z.string().max(400_000) }),
  reply: z.strictObject({
    ...PICKED,
    /** Paths to lists of records in the payload, likeliest first; empty: the payload itself. */
    recordSelectors: z.array(z.string()),
    /** Fields as the records show them. */
    inferred: z.array(FieldSchema),
    /** What the sender would be answered. */
    answer: z.strictObject({ status: z.int(), body: z.string() }),
  }),
  errors: ["validation_failed"],
});

/** What is wrong with a template of an answer; null when nothing is. It has to be JSON once its variables are filled in. */
export function answerTemplateProblem(template: string): string | null {
  const known: readonly string[] = WEBHOOK_ANSWER_VARIABLES;
  const unknown = [...template.matchAll(/\{\{(.*?)\}\}/g)].find(([, name = ""]) => !known.includes(name));
  if (unknown) return `has no variable ${unknown[0]}; use {{count}} or {{id}}`;
  try {
    JSON.parse(template.replaceAll("{{count}}", "1").replaceAll("{{id}}", "id"));
    return null;
  } catch {
    return 'must be JSON; {{id}} stands in quotes: {"id": "{{id}}"}';
  }
}
