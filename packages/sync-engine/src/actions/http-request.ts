/** HTTP request. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import { readTemplate } from "@accord/expressions";
import { z } from "zod";
import { input, type NodeContext, schemaIssues } from "../functions/define.ts";
import type { FlowRecord } from "../functions/flow.ts";
import type { RunEnv } from "../functions/run-env.ts";
import { compileText } from "../functions/kinds/value-function.ts";
import type { ActionDefinition } from "./define.ts";
import { ActionRefusal } from "./define.ts";
import { fillAddress, fillBody, fillHeader, isJson } from "./fill-text.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
/** Set by the server for each request; a node that sets them would break it. */
const KEPT_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "connection", "idempotency-key"]);

/** A token as RFC 9110 has it. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

const Config = z.looseObject({
  method: z.enum(METHODS).default("POST"),
  url: z.string({ error: "Write the address." }).regex(/^(https?:\/\/[^\s/?#]|\{\{)/i, nodeSettings.webAddressOrToken),
  headers: z
    .array(
      z.object({
        name: z.string().regex(HEADER_NAME, nodeSettings.headerName),
        value: z.string().default(""),
      }),
    )
    .max(50, fill(nodeSettings.rowsAtMost, { limit: 50 }))
    .default([]),
  body: z.string().max(200_000).default(""),
  timeoutSeconds: z.coerce.number().int().min(1).max(120).default(30),
  retries: z.coerce.number().int().min(0).max(5).default(2),
  repeatable: z.boolean().default(false),
});

/** Reads every token of some texts for a record. */
export function tokenValues(texts: readonly string[], context: NodeContext, inputName: string) {
  const names = new Set(
    texts.flatMap((text) => readTemplate(text).flatMap((part) => ("token" in part ? [part.token] : []))),
  );
  const reads = new Map([...names].map((name) => [name, compileText(`{{${name}}}`, context, inputName)]));
  return (record: FlowRecord, env: RunEnv) =>
    (name: string): Value =>
      reads.get(name)?.(record, env) ?? null;
}

export const httpRequest: ActionDefinition = {
  name: "httpRequest",
  label: "HTTP request",
  summary: "Calls an address, as a webhook; the answer is the node's result.",
  group: "request",
  levels: ["entity", "field"],
  effect: "work",
  inputs: [
    input({
      name: "method",
      label: "Method",
      datatype: "picklist",
      defaultValue: "POST",
      hideTokenPicker: true,
      values: METHODS.map((id) => ({ id, label: id })),
    }),
    input({ name: "url", label: "Address", datatype: "text", required: true, allowUserToken: true }),
    input({
      name: "headers",
      label: "Headers",
      datatype: "composite",
      renderType: "headers",
      repeatable: true,
      allowUserToken: true,
      helpText: "Keep secrets out of here: a custom action stores them sealed.",
    }),
    input({
      name: "body",
      label: "Body",
      datatype: "textarea",
      allowUserToken: true,
      helpText: "In JSON a token inside quotes gives its text, outside of them its value.",
    }),
    input({
      name: "timeoutSeconds",
      label: "Seconds to wait",
      datatype: "integer",
      defaultValue: 30,
      hideTokenPicker: true,
    }),
    input({ name: "retries", label: "Further tries", datatype: "integer", defaultValue: 2, hideTokenPicker: true }),
    input({
      name: "repeatable",
      label: "May be repeated",
      datatype: "boolean",
      defaultValue: false,
      hideTokenPicker: true,
      helpText: "The receiver does a request with the same Idempotency-Key header once.",
    }),
  ],
  check: (configuration) => {
    const faults = schemaIssues(Config, configuration, () => false);
    if (faults.length > 0) return faults;
    const kept = Config.parse(configuration).headers.find(({ name }) => KEPT_HEADERS.has(name.toLowerCase()));
    return kept ? [{ input: "headers", reason: fill(nodeSettings.headerSetByAccord, { name: kept.name }) }] : [];
  },
  prepare: (configuration, context) => {
    const config = Config.parse(configuration);
    const texts = [config.url, config.body, ...config.headers.map(({ value }) => value)];
    const values = tokenValues(texts, context, "body");
    return (record, env) => {
      const read = values(record, env);
      const url = fillAddress(config.url, read);
      if (!/^https?:\/\//i.test(url))
        throw new ActionRefusal("address_invalid", fill(nodeFailures.notAWebAddress, { value: url }));
      const headers = Object.fromEntries(
        config.headers.map(({ name, value }) => [name.toLowerCase(), fillHeader(value, read)]),
      );
      const body = config.body === "" ? null : fillBody(config.body, read);
      if (body !== null) headers["content-type"] ??= isJson(body) ? "application/json" : "text/plain";
      return {
        kind: "http",
        method: config.method,
        url,
        headers,
        body,
        timeoutMs: config.timeoutSeconds * 1000,
        retries: config.retries,
        isRepeatable: config.repeatable,
      };
    };
  },
  examples: [
    {
      says: "a value can't become structure: it is escaped in JSON and encoded in the address",
      config: {
        url: "https://example.com/{{previous.values.Name}}",
        body: '{"name": "{{previous.values.Name}}", "size": {{previous.values.size}}}',
      },
      record: { values: { Name: 'a"/b', size: 3 } },
      work: {
        kind: "http",
        method: "POST",
        url: "https://example.com/a%22%2Fb",
        headers: { "content-type": "application/json" },
        body: '{"name": "a\\"/b", "size": 3}',
        timeoutMs: 30_000,
        retries: 2,
        isRepeatable: false,
      },
    },
    {
      says: "a blank in JSON is null",
      config: { url: "https://example.com", body: '{"size": {{previous.values.size}}}', retries: 0 },
      record: { values: { size: null } },
      work: {
        kind: "http",
        method: "POST",
        url: "https://example.com",
        headers: { "content-type": "application/json" },
        body: '{"size": null}',
        timeoutMs: 30_000,
        retries: 0,
        isRepeatable: false,
      },
    },
    {
      says: "an address that comes from a token must be one",
      config: { url: "{{previous.values.Name}}" },
      record: { values: { Name: "file:///etc/passwd" } },
      fails: "address_invalid",
    },
  ],
};
