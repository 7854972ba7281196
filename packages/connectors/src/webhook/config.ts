/** What a webhook needs: an example of what it brings, where its records are in it, and what it answers. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { answerTemplateProblem, WEBHOOK_FIELD_TYPES, WEBHOOK_ICONS } from "@accord/contracts/connections/webhooks";
import {
  WEBHOOK_ENCODINGS,
  WEBHOOK_HASHES,
  WebhookEncoding,
  WebhookHash,
  WebhookSignature,
} from "@accord/contracts/connections/webhook-signing";
import type { FieldProblem } from "@accord/contracts";
import { parseSelector } from "@accord/connector-sdk";
import { z } from "zod";
import { exampleRecords } from "./records.ts";

const isPath = (path: string): boolean => {
  try {
    parseSelector(path);
    return true;
  } catch {
    return false;
  }
};
const Path = z.string().trim().max(500).refine(isPath, "is no path like data.items").default("");
const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
};

/** Any, as earlier versions stored them: what a new one has to be, `webhookEditProblems` says. */
const HeaderName = z.string().trim().toLowerCase().max(100);
/** Names that HTTP allows; empty where the way of signing has a name of its own. */
const HTTP_NAME = /^[\w!#$%&'*+.^`|~-]*$/;

export const WebhookField = z.object({
  apiName: z.string().trim().min(1, "is required").max(200),
  displayName: z.string().trim().max(120).default(""),
  dataType: z.enum(WEBHOOK_FIELD_TYPES).default("string"),
  isMultiValueField: z.boolean().default(false),
});
const areDistinct = (fields: readonly { apiName: string }[]): boolean =>
  new Set(fields.map(({ apiName }) => apiName)).size === fields.length;

export const WebhookConfig = z.object({
  /** One example payload; the entity's fields are found out from it. Empty: nothing is known of its records yet. */
  sample: z
    .string()
    .max(200_000)
    .refine((text) => text.trim() === "" || isJson(text), "must be a JSON object or list")
    .default(""),
  /** The entity's fields as a person settled them; none: those of the example. */
  fields: z.array(WebhookField).max(500).refine(areDistinct, "name a field twice").default([]),
  /** Where the records are; empty: the whole payload, or its elements when it is a list. */
  recordSelector: Path,
  /** The record's id, relative to it; empty: a fingerprint of the record. */
  idSelector: Path,
  signature: WebhookSignature.default("standard"),
  /** Header of a signature; Standard Webhooks has its own. */
  signatureHeader: HeaderName.default("x-hub-signature-256"),
  /** Of a signature over the body alone. */
  signatureHash: WebhookHash.default("sha256"),
  signatureEncoding: WebhookEncoding.default("hex"),
  /** How far a signed time may be off, seconds. */
  toleranceSeconds: z.coerce.number().int().min(10).max(86_400).default(300),
  /** Header of an API key. */
  apiKeyHeader: HeaderName.default("x-api-key"),
  responseCode: z.coerce.number().int().min(200).max(299).default(202),
  responseTemplate: z.string().max(10_000).default('{"received": {{count}}}'),
  /** Most posts in a minute; more are refused with 429. */
  postsPerMinute: z.coerce.number().int().min(1).max(100_000).default(600),
  icon: z.enum(WEBHOOK_ICONS).default("webhook"),
});
export type WebhookConfig = z.output<typeof WebhookConfig>;

/** What is wrong with settings that a person changed; those that stay as an earlier version stored them are left alone. */
export function webhookEditProblems(config: WebhookConfig, former: WebhookConfig | null): FieldProblem[] {
  const isNew = (name: keyof WebhookConfig): boolean => config[name] !== former?.[name];
  const problems: FieldProblem[] = [];
  const check = (path: keyof WebhookConfig, message: string | null): void => {
    if (message !== null) problems.push({ path, message });
  };
  const wrongName = (name: string): string | null =>
    HTTP_NAME.test(name) ? null : "is no name of a header, like x-signature";
  // Standard Webhooks looks at none that is set.
  if (isNew("signatureHeader") || (config.signature !== "standard" && isNew("signature")))
    check("signatureHeader", wrongName(config.signatureHeader));
  if (isNew("apiKeyHeader"))
    check("apiKeyHeader", config.apiKeyHeader === "" ? "is required" : wrongName(config.apiKeyHeader));
  const isOtherExample =
    isNew("sample") || isNew("recordSelector") || JSON.stringify(config.fields) !== JSON.stringify(former?.fields);
  // Without any record nothing is known of its fields: the webhook could not be activated.
  if (
    isOtherExample &&
    config.fields.length === 0 &&
    config.sample.trim() !== "" &&
    exampleRecords(config).length === 0
  )
    check("recordSelector", "leads to no JSON object in the example: each record has to be one");
  if (isNew("responseTemplate")) check("responseTemplate", answerTemplateProblem(config.responseTemplate));
  return problems;
}

export const WEBHOOK_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "sample",
    label: "Example of a payload",
    datatype: "textarea",
    helpText: "JSON as it will be posted. The fields of the entity are found out from it.",
  },
  {
    name: "recordSelector",
    label: "Path to the records",
    datatype: "string",
    helpText: "As data.items. Empty: the whole payload is one record, or a list of them.",
  },
  {
    name: "idSelector",
    label: "Path to a record's id",
    datatype: "string",
    helpText: "Within a record, as id. Empty: equal records count as the same one.",
  },
  {
    name: "signature",
    label: "What is signed",
    datatype: "picklist",
    defaultValue: "standard",
    values: [
      { id: "standard", label: "Id, time and body (Standard Webhooks)" },
      { id: "body", label: "The body alone" },
      { id: "stripe", label: "Time and body (Stripe)" },
      { id: "slack", label: "Version, time and body (Slack)" },
    ],
  },
  {
    name: "signatureHeader",
    label: "Header of the signature",
    datatype: "string",
    defaultValue: "x-hub-signature-256",
    helpText: "Not for Standard Webhooks, which has headers of its own.",
  },
  {
    name: "signatureHash",
    label: "Hash of the signature",
    datatype: "picklist",
    defaultValue: "sha256",
    values: WEBHOOK_HASHES.map((id) => ({ id, label: id.toUpperCase() })),
    requiredValue: { field: "signature", value: "body" },
  },
  {
    name: "signatureEncoding",
    label: "Signature is written in",
    datatype: "picklist",
    defaultValue: "hex",
    values: WEBHOOK_ENCODINGS.map((id) => ({ id, label: id === "hex" ? "Hexadecimal" : "Base64" })),
    requiredValue: { field: "signature", value: "body" },
  },
  {
    name: "toleranceSeconds",
    label: "How far a signed time may be off, seconds",
    datatype: "integer",
    defaultValue: 300,
  },
  { name: "apiKeyHeader", label: "Header of the API key", datatype: "string", defaultValue: "x-api-key" },
  { name: "responseCode", label: "Answered code", datatype: "integer", defaultValue: 202 },
  {
    name: "responseTemplate",
    label: "Answer",
    datatype: "textarea",
    defaultValue: '{"received": {{count}}}',
    helpText: "{{count}} and {{id}} are replaced by the number of records and the id of the post.",
  },
  { name: "postsPerMinute", label: "Most posts in a minute", datatype: "integer", defaultValue: 600 },
];
