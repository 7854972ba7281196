/** How Stripe reads forms: parameters in brackets, their kinds, and what it answers to those it refuses. */
import { randomBytes } from "node:crypto";
import { isObject, Refusal, wholeNumber, type Json } from "../kit.ts";

/** What a parameter may hold; a list of texts: one of them. */
export type Kind = "text" | "email" | "integer" | "boolean" | "map" | "list" | string[] | { [name: string]: Kind };

/** Those that can't be unset: an empty text is an error or their first value. */
const NEVER_EMPTY = new Set(["balance", "next_invoice_sequence", "active"]);

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);
export const newId = (prefix: string): string =>
  `${prefix}_${randomBytes(11).toString("base64url").replace(/[-_]/g, "x")}`;

export function refuse(status: number, error: Json): never {
  const type = "invalid_request_error";
  const code = error["code"];
  const docs =
    typeof code === "string" ? { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` } : {};
  throw new Refusal({ status, body: { error: { ...docs, type, ...error } }, headers: { "request-id": newId("req") } });
}

export const missing = (object: string, id: string, status: number, param = "id"): never =>
  refuse(status, { code: "resource_missing", message: `No such ${object}: '${id}'`, param });

/** `a[b]=1&c[]=2` as Stripe reads forms. */
export function formOf(parameters: URLSearchParams): Json {
  const root: Json = {};
  for (const [key, value] of parameters) {
    const names = key.replaceAll("]", "").split("[");
    const last = names.pop() ?? "";
    let place = root;
    for (const name of names) {
      const inner = place[name];
      const next: Json = isObject(inner) ? inner : {};
      place[name] = next;
      place = next;
    }
    place[last === "" ? String(Object.keys(place).length) : last] = value;
  }
  return root;
}

/** The value to keep. `path`: the parameter as Stripe names it. */
function valueOf(kind: Kind, sent: unknown, old: unknown, path: string): unknown {
  if (Array.isArray(kind)) {
    if (typeof sent === "string" && (sent === "" || kind.includes(sent))) return sent || (kind[0] ?? null);
    return refuse(400, { message: `Invalid ${path}: must be one of ${kind.join(", ")}`, param: path });
  }
  if (kind === "map") {
    if (sent === "") return {};
    if (!isObject(sent)) return refuse(400, { message: "Invalid hash", param: path });
    const merged = { ...(isObject(old) ? old : {}), ...sent };
    const pairs = Object.entries(merged).filter(([, value]) => value !== "");
    for (const [name, value] of pairs) {
      if (name.length > 40 || typeof value !== "string" || value.length > 500)
        refuse(400, {
          message: "Metadata keys have up to 40 characters, values up to 500.",
          param: `${path}[${name}]`,
        });
    }
    if (pairs.length > 50) refuse(400, { message: "Metadata can have up to 50 keys.", param: path });
    return Object.fromEntries(pairs);
  }
  if (kind === "list") {
    if (sent === "") return [];
    return isObject(sent) ? Object.values(sent) : refuse(400, { message: "Invalid array", param: path });
  }
  if (typeof kind === "object") {
    if (sent === "") return null;
    if (!isObject(sent)) return refuse(400, { message: "Invalid object", param: path });
    const before = isObject(old) ? old : {};
    const blank = Object.fromEntries(Object.keys(kind).map((name) => [name, null]));
    return { ...blank, ...before, ...valuesOf(kind, sent, before, path) };
  }
  if (typeof sent !== "string") return refuse(400, { message: "Invalid string", param: path });
  if (sent === "" && !NEVER_EMPTY.has(path)) return null;
  if (kind === "integer") {
    const number = wholeNumber(sent, -99_999_999_999, 99_999_999_999);
    const message = `Invalid integer: ${sent}`;
    return number ?? refuse(400, { code: "parameter_invalid_integer", message, param: path });
  }
  if (kind === "boolean")
    return ["true", "false"].includes(sent)
      ? sent === "true"
      : refuse(400, { message: `Invalid boolean: ${sent}`, param: path });
  if (kind === "email" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(sent))
    refuse(400, { code: "email_invalid", message: `Invalid email address: ${sent}`, param: path });
  return sent;
}

export function valuesOf(kinds: { [name: string]: Kind }, sent: Json, old: Json, within = ""): Json {
  const values: Json = {};
  for (const [name, value] of Object.entries(sent)) {
    const path = within === "" ? name : `${within}[${name}]`;
    const kind = kinds[name];
    if (kind === undefined)
      refuse(400, { code: "parameter_unknown", message: `Received unknown parameter: ${path}`, param: path });
    else values[name] = valueOf(kind, value, old[name], path);
  }
  return values;
}
