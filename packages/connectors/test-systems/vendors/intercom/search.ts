/** How Intercom searches contacts and pages through them: queries, sorting and cursors. */
import { isObject, type Json } from "../kit.ts";
import { refuse } from "./records.ts";

const DAY = 86_400;
const DATES = new Set(["created_at", "updated_at", "signed_up_at", "last_seen_at", "last_replied_at"]);
const FIELDS = new Set([...DATES, "id", "role", "name", "email", "phone", "external_id", "owner_id"]);
const MAX_FILTERS = 15;

type Test = (contact: Json) => boolean;

function read(contact: Json, field: string): unknown {
  if (!field.startsWith("custom_attributes.")) return contact[field] ?? null;
  const custom = contact["custom_attributes"];
  return isObject(custom) ? (custom[field.slice("custom_attributes.".length)] ?? null) : null;
}

const dayOf = (seconds: unknown): number => Math.floor(Number(seconds) / DAY);

/** Times are compared by their day: `>` starts with the day after. */
function filterOf({ field, operator, value }: Json): Test {
  if (typeof field !== "string" || !(FIELDS.has(field) || field.startsWith("custom_attributes.")))
    return refuse(400, "parameter_invalid", `Invalid field for search: ${String(field)}`);
  if (value === undefined) return refuse(400, "parameter_invalid", `Search query for ${field} has no value`);
  const isDate = DATES.has(field);
  if (isDate && value !== null && !/^\d+$/.test(String(value)))
    refuse(400, "parameter_invalid", `${field} must be a timestamp in seconds`);
  const comparable = (one: unknown): unknown => (isDate && one !== null ? dayOf(one) : one);
  const equals = (left: unknown, right: unknown): boolean => {
    const [a, b] = [comparable(left), comparable(right)];
    return typeof a === "string" && typeof b === "string" ? a.toLowerCase() === b.toLowerCase() : a === b;
  };
  const lower = (one: unknown): string => (typeof one === "string" ? one.toLowerCase() : "");
  const tests: Record<string, (kept: unknown) => boolean> = {
    "=": (kept) => equals(kept, value),
    "!=": (kept) => !equals(kept, value),
    IN: (kept) => Array.isArray(value) && value.some((one) => equals(kept, one)),
    NIN: (kept) => Array.isArray(value) && !value.some((one) => equals(kept, one)),
    ">": (kept) => kept !== null && Number(comparable(kept)) > Number(comparable(value)),
    "<": (kept) => kept !== null && Number(comparable(kept)) < Number(comparable(value)),
    "~": (kept) => lower(kept).includes(lower(value)),
    "!~": (kept) => !lower(kept).includes(lower(value)),
    "^": (kept) => lower(kept).startsWith(lower(value)),
    $: (kept) => lower(kept).endsWith(lower(value)),
  };
  const test = typeof operator === "string" && Object.hasOwn(tests, operator) ? tests[operator] : undefined;
  if (!test) return refuse(400, "parameter_invalid", `Invalid operator: ${String(operator)}`);
  return (contact) => test(read(contact, field));
}

/** One filter, or several joined by AND or OR, at most two levels deep. */
export function queryOf(query: unknown, level = 0): Test {
  if (!isObject(query)) return refuse(400, "parameter_not_found", "query is required");
  const { operator, value } = query;
  if (operator !== "AND" && operator !== "OR") return filterOf(query);
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_FILTERS || level > 1)
    return refuse(400, "parameter_invalid", `A group has 1 to ${MAX_FILTERS} filters, and groups up to two levels`);
  const tests = value.map((one: unknown) => queryOf(one, level + 1));
  return (contact) => (operator === "AND" ? tests.every((test) => test(contact)) : tests.some((test) => test(contact)));
}

interface Page {
  perPage: unknown;
  startingAfter: unknown;
  field: string;
  descending: boolean;
}

export function sortOf(sort: unknown): Pick<Page, "field" | "descending"> {
  if (!isObject(sort)) return { field: "created_at", descending: true };
  const { field = "created_at", order = "descending" } = sort;
  if (typeof field !== "string" || !FIELDS.has(field)) return refuse(400, "parameter_invalid", "Invalid sort field");
  if (order !== "ascending" && order !== "descending") return refuse(400, "parameter_invalid", "Invalid sort order");
  return { field, descending: order === "descending" };
}

/** The cursor names the last contact shown by its sort value and id, so that paging goes on when that contact is gone. */
export function pageOf(all: Json[], { perPage, startingAfter, field, descending }: Page): Json {
  const size = perPage === undefined || perPage === null ? 50 : Number(perPage);
  if (!Number.isInteger(size) || size < 1 || size > 150)
    return refuse(400, "parameter_invalid", "per_page must be a number between 1 and 150");
  const order = (left: unknown, right: unknown): number =>
    typeof left === "number" || typeof right === "number"
      ? Number(left) - Number(right)
      : String(left) < String(right)
        ? -1
        : Number(String(left) > String(right));
  const compare = (a: readonly unknown[], b: readonly unknown[]): number =>
    (order(a[0], b[0]) || order(a[1], b[1])) * (descending ? -1 : 1);
  const keyOf = (contact: Json) => [contact[field] ?? null, contact["id"]];
  const sorted = all.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  const after = startingAfter === undefined || startingAfter === null ? null : cursorOf(startingAfter);
  const rest = after ? sorted.filter((contact) => compare(keyOf(contact), after) > 0) : sorted;
  const data = rest.slice(0, size);
  const last = data.at(-1);
  const page = Math.floor((sorted.length - rest.length) / size) + 1;
  const starting_after = last && Buffer.from(JSON.stringify(keyOf(last))).toString("base64");
  const pages = {
    type: "pages",
    page,
    ...(rest.length > data.length && { next: { page: page + 1, starting_after } }),
    per_page: size,
    total_pages: Math.ceil(sorted.length / size),
  };
  return { type: "list", data, total_count: sorted.length, pages };
}

function cursorOf(text: unknown): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(String(text), "base64").toString("utf8"));
    if (Array.isArray(parsed) && parsed.length === 2) return parsed;
  } catch {
    // Not one of ours: refused below.
  }
  return refuse(400, "parameter_invalid", "starting_after is invalid");
}
