/** What a write sends of a record: bare, or in its place in the body that its call describes. */
import { ConnectorError, parseSelector, type Selector } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value, Values } from "@accord/contracts/data/values";
import { isObject, put } from "./records.ts";
import { fillBody, type Facts } from "./template.ts";

interface PlacedSpec {
  body: string;
  /** Empty: the described body is sent as it is, the record itself where there is none. */
  recordPath: string;
}

/** The body with the record at its place; null where the call says for itself what is sent. */
export function placedRecord({ body, recordPath }: PlacedSpec, facts: Facts, record: Value): Value | null {
  if (recordPath === "" || !isObject(record)) return null;
  const whole = body.trim() === "" ? {} : parseExactJson(fillBody(body, facts));
  const path = parseSelector(recordPath);
  if (!isObject(whole) || path.some(({ kind }) => kind !== "key"))
    throw new ConnectorError("configuration", `A record can't be put at "${recordPath}" of the body.`, {
      neverSent: true,
      hint: "The body must be a JSON object, and the place a path of names such as data.attributes.",
    });
  put(whole, path, { ...objectAt(whole, path), ...record });
  return whole;
}

/** What the described body holds at the record's place already. */
function objectAt(whole: Values, path: Selector): Values {
  let found: Value | undefined = whole;
  for (const step of path) found = step.kind === "key" && isObject(found) ? found[step.key] : undefined;
  return isObject(found) ? found : {};
}
