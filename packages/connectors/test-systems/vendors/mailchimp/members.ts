/** Members of simulated Mailchimp's audience: merge fields, what writes may say, and how answers show a member. */
import { isObject } from "../kit.ts";
import { createHash, randomBytes } from "node:crypto";

export const LIST_ID = "a1b2c3d4e5";

export interface Member {
  contactId: string;
  email: string;
  status: string;
  emailType: string;
  language: string;
  vip: boolean;
  merge: Record<string, unknown>;
  signedUp: string;
  lastChanged: string;
}

export interface FieldError {
  field: string;
  message: string;
}

export const MERGE_FIELDS = [
  mergeField(1, "FNAME", "First Name", "text"),
  mergeField(2, "LNAME", "Last Name", "text"),
  mergeField(3, "ADDRESS", "Address", "address"),
  mergeField(4, "PHONE", "Phone Number", "phone"),
  mergeField(5, "BIRTHDAY", "Birthday", "birthday"),
  mergeField(6, "POINTS", "Points", "number"),
  mergeField(7, "JOINED", "Joined", "date"),
  mergeField(8, "TIER", "Tier", "dropdown", ["Bronze", "Silver", "Gold"]),
  mergeField(9, "SITE", "Website", "url"),
];

function mergeField(merge_id: number, tag: string, name: string, type: string, choices?: string[]) {
  const options = choices === undefined ? { size: 25 } : { choices };
  const preset = { required: false, default_value: "", public: false, display_order: merge_id + 1, help_text: "" };
  return { merge_id, tag, name, type, ...preset, options, list_id: LIST_ID };
}

export function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "+00:00");
}

export function hashOf(address: string): string {
  return createHash("md5").update(address.toLowerCase()).digest("hex");
}

export function newMember(email: string, merge: Record<string, unknown>, time: number): Member {
  const contactId = randomBytes(16).toString("hex");
  const [signedUp, lastChanged] = [timeText(time), timeText(time)];
  const preset = { status: "subscribed", emailType: "html", language: "en", vip: false };
  return { contactId, email, merge, signedUp, lastChanged, ...preset };
}

export function shown(member: Member): Record<string, unknown> {
  const merge_fields = Object.fromEntries(MERGE_FIELDS.map(({ tag }) => [tag, member.merge[tag] ?? ""]));
  const names = [merge_fields["FNAME"], merge_fields["LNAME"]].filter((name) => name !== "");
  return {
    id: hashOf(member.email),
    email_address: member.email,
    unique_email_id: member.contactId.slice(0, 10),
    contact_id: member.contactId,
    full_name: names.join(" "),
    web_id: Number.parseInt(member.contactId.slice(0, 7), 16),
    email_type: member.emailType,
    status: member.status,
    merge_fields,
    interests: {},
    stats: { avg_open_rate: 0, avg_click_rate: 0 },
    ip_signup: "",
    timestamp_signup: "",
    ip_opt: "127.0.0.1",
    timestamp_opt: member.signedUp,
    member_rating: 2,
    last_changed: member.lastChanged,
    language: member.language,
    vip: member.vip,
    email_client: "",
    location: { latitude: 0, longitude: 0, gmtoff: 0, dstoff: 0, country_code: "", timezone: "", region: "" },
    source: "API - Generic",
    tags_count: 0,
    tags: [],
    list_id: LIST_ID,
    _links: [{ rel: "self", href: `https://us1.api.mailchimp.com/3.0/lists/${LIST_ID}`, method: "GET" }],
  };
}

const STATUSES = ["subscribed", "unsubscribed", "cleaned", "pending", "transactional"];
const TYPES: Readonly<Record<string, string>> = {
  email_address: "string",
  status: "string",
  email_type: "string",
  language: "string",
  vip: "boolean",
  merge_fields: "object",
};

/** What of a body is wrong by its schema. */
export function schemaErrors(body: Readonly<Record<string, unknown>>): FieldError[] {
  const found: FieldError[] = [];
  for (const [field, type] of Object.entries(TYPES)) {
    const value = body[field];
    if (value === undefined) continue;
    const given = kindOf(value);
    if (given !== type) found.push({ field, message: `Schema describes ${type}, ${given} found instead` });
  }
  const status = body["status"];
  if (typeof status === "string" && !STATUSES.includes(status)) {
    found.push({ field: "status", message: `Value must be one of: ${STATUSES.join(", ")}` });
  }
  return found;
}

function kindOf(value: unknown): string {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "number") return typeof value;
  return Number.isInteger(value) ? "integer" : "double";
}

/** Unknown tags are left out without a word; an empty text empties the field. */
export function mergeValues(given: unknown): { values: Record<string, unknown>; errors: FieldError[] } {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const { tag, type, options } of MERGE_FIELDS) {
    const value = isObject(given) ? given[tag] : undefined;
    if (value === undefined) continue;
    const choices = "choices" in options ? (options.choices ?? []) : [];
    const taken = value === "" ? { value: "" } : mergeValue(type, value, choices);
    if ("message" in taken) errors.push({ field: tag, message: taken.message });
    else values[tag] = taken.value;
  }
  return { values, errors };
}

function mergeValue(
  type: string,
  value: unknown,
  choices: readonly string[],
): { value: unknown } | { message: string } {
  if (value === null)
    return { message: `Schema describes ${type === "address" ? "object" : "string"}, NULL found instead` };
  if (type === "address") return addressValue(value);
  if (typeof value !== "string" && typeof value !== "number") return { message: "This value should be a string." };
  const text = String(value).trim();
  if (type === "number") {
    return Number.isFinite(Number(text)) ? { value: Number(text) } : { message: "Please enter a number" };
  }
  if (type === "date") return dateValue(text);
  if (type === "birthday") {
    return /^(?:0[1-9]|1[0-2])\/(?:0[1-9]|[12]\d|3[01])$/.test(text)
      ? { value: text }
      : { message: "Please enter a month and day as MM/DD" };
  }
  if (type === "url" && !URL.canParse(text)) return { message: "Please enter a valid URL." };
  if (type === "dropdown" && !choices.includes(text)) {
    return { message: `Value must be one of: ${choices.join(", ")}` };
  }
  return text.length > 255 ? { message: "This value is too long." } : { value: text };
}

function dateValue(text: string): { value: string } | { message: string } {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  const date = year === undefined ? text.slice(0, 10) : `${year}-${month}-${day}`;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date));
  return isDate ? { value: date } : { message: "Please enter a valid date" };
}

function addressValue(value: unknown): { value: unknown } | { message: string } {
  if (!isObject(value)) return { message: `Schema describes object, ${kindOf(value)} found instead` };
  const parts = ["addr1", "addr2", "city", "state", "zip", "country"].map((part) => [part, value[part] ?? ""] as const);
  const isWhole = parts.every(([part, text]) => text !== "" || part === "addr2" || part === "country");
  if (!isWhole) return { message: "Please enter a complete address" };
  return { value: { ...Object.fromEntries(parts), country: value["country"] || "US" } };
}
