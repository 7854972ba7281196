/** What a webhook needs: an example of what it brings, where its records are in it, and what it answers. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { parseSelector } from "@accord/connector-sdk";
import { z } from "zod";

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

export const WebhookConfig = z.object({
  /** One example payload; the entity's fields are found out from it. */
  sample: z.string({ error: "is required" }).max(200_000).refine(isJson, "must be a JSON object or list"),
  /** Where the records are; empty: the whole payload, or its elements when it is a list. */
  recordSelector: Path,
  /** The record's id, relative to it; empty: a fingerprint of the record. */
  idSelector: Path,
  signature: z.enum(["standard", "body"]).default("standard"),
  /** Header of a signature over the body alone. */
  signatureHeader: z.string().trim().toLowerCase().max(100).default("x-hub-signature-256"),
  responseCode: z.coerce.number().int().min(200).max(299).default(202),
  responseTemplate: z.string().max(10_000).default('{"received": {{count}}}'),
  /** Most posts in a minute; more are refused with 429. */
  postsPerMinute: z.coerce.number().int().min(1).max(100_000).default(600),
});
export type WebhookConfig = z.output<typeof WebhookConfig>;

export const WEBHOOK_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "sample",
    label: "Example of a payload",
    datatype: "textarea",
    required: true,
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
    ],
  },
  {
    name: "signatureHeader",
    label: "Header of the signature",
    datatype: "string",
    defaultValue: "x-hub-signature-256",
    requiredValue: { field: "signature", value: "body" },
  },
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
