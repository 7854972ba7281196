/** The HTTP request that a custom action makes for the variables of its records; it goes to no other origin. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { CustomActionInput } from "@accord/contracts/sync/actions";
import type { HttpWork } from "../call.ts";
import { fillAddress, fillBody, fillHeader, isJson } from "../fill-text.ts";

/** Name of the list of all records of a batch, in its body. */
export const BATCH_RECORDS = "records";

const LIST_ALONE = /^\s*\{\{\s*records\s*\}\}\s*$/;

const RETRIES = 2;

type RequestDefinition = Pick<
  CustomActionInput,
  "method" | "endpoint" | "headers" | "body" | "repeatable" | "isBatch" | "timeoutSeconds"
>;

/** `https://host:port` of an endpoint; null where variables, or nothing, stand in its place. */
export function fixedOrigin(endpoint: string): string | null {
  const origin = /^https?:\/\/[^/?#{}@\s\\]+(?=[/?#]|$)/i.exec(endpoint.trim())?.[0];
  return origin && URL.canParse(origin) ? new URL(origin).origin : null;
}

/** Addresses and headers are filled for the first record. `credentials`: headers that say who calls. */
export function customRequest(
  definition: RequestDefinition,
  records: readonly Values[],
  credentials: Readonly<Record<string, string>>,
): HttpWork {
  const [first = {}] = records;
  const variables: Values = definition.isBatch ? { ...first, [BATCH_RECORDS]: [...records] } : first;
  const read = (name: string): Value => variables[name] ?? null;
  const headers: Record<string, string> = {};
  for (const { name, value } of definition.headers) headers[name.toLowerCase()] = fillHeader(value, read);
  const hasBody = definition.body !== "" && definition.method !== "GET";
  // The list alone is one in JSON, as it is inside of a JSON body.
  const isList = definition.isBatch && LIST_ALONE.test(definition.body);
  const body = !hasBody ? null : isList ? JSON.stringify(records) : fillBody(definition.body, read);
  if (body !== null) headers["content-type"] ??= isJson(body) ? "application/json" : "text/plain";
  return {
    kind: "http",
    method: definition.method,
    url: fillAddress(definition.endpoint, read),
    headers: { ...headers, ...credentials },
    secretHeaders: Object.keys(credentials),
    body,
    timeoutMs: definition.timeoutSeconds * 1000,
    retries: RETRIES,
    isRepeatable: definition.repeatable,
  };
}
