/** How the simulated Notion refuses: a status, a code and a message. */
import { Refusal, type Json } from "../kit.ts";

export function refuse(status: number, code: string, message: string, headers: Record<string, string> = {}): never {
  throw new Refusal({ status, headers, body: errorBody(status, code, message) });
}
export const errorBody = (status: number, code: string, message: string): Json => ({
  object: "error",
  status,
  code,
  message,
  request_id: crypto.randomUUID(),
});
export const invalid = (message: string): never => refuse(400, "validation_error", message);
export const absent = (kind: string, id: string): never =>
  refuse(
    404,
    "object_not_found",
    `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`,
  );

/** As messages of failed validations show what they were sent. */
export function instead(value: unknown): string {
  const spelt = value === undefined ? "undefined" : JSON.stringify(value);
  return `instead was \`${spelt.length > 100 ? `${spelt.slice(0, 97)}...` : spelt}\`.`;
}
export const shouldBe = (place: string, what: string, value: unknown): never =>
  invalid(`${place.split(".")[0] ?? "body"} failed validation: ${place} should be ${what}, ${instead(value)}`);

/** Names that are not known fail. */
export function onlyKnown(place: string, object: Json, known: readonly string[]): void {
  for (const [name, value] of Object.entries(object))
    if (!known.includes(name)) shouldBe(`${place}.${name}`, "not present", value);
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Ids come with or without dashes, and go with them. */
export function uuidAt(place: string, value: unknown): string {
  if (typeof value !== "string" || !UUID.test(value)) return shouldBe(place, "a valid uuid", value);
  return value
    .replaceAll("-", "")
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
