/** Intercom's contacts and companies: their attributes, what may be written to them, and what it answers to values that it refuses. */
import { randomBytes, randomUUID } from "node:crypto";
import { isObject, Refusal, type Json } from "../kit.ts";

export type Model = "contact" | "company";
type Kind = "string" | "integer" | "float" | "boolean" | "date";

export const WORKSPACE = "ecahpwf5";
export const nowSeconds = (): number => Math.floor(Date.now() / 1000);
export const newId = (): string => randomBytes(12).toString("hex");

export function refuse(status: number, code: string, message: string): never {
  const body = { type: "error.list", request_id: randomUUID(), errors: [{ code, message }] };
  throw new Refusal({ status, body });
}

/** Custom attributes exist before they are written; anything else is refused. */
const CUSTOM: Record<Model, Record<string, Kind>> = {
  contact: { paid_subscriber: "boolean", seats: "integer", score: "float", segment: "string", renewed_at: "date" },
  company: { region: "string", seats: "integer" },
};
const STANDARD: Record<Model, Record<string, Kind>> = {
  contact: {
    name: "string",
    email: "string",
    phone: "string",
    external_id: "string",
    owner_id: "integer",
    signed_up_at: "date",
    last_seen_at: "date",
    unsubscribed_from_emails: "boolean",
  },
  company: {
    name: "string",
    website: "string",
    industry: "string",
    size: "integer",
    monthly_spend: "float",
    remote_created_at: "date",
  },
};
/** Set by Intercom. */
const READ_ONLY: Record<Model, Record<string, Kind>> = {
  contact: { id: "string", role: "string", created_at: "date", updated_at: "date" },
  company: { id: "string", company_id: "string", created_at: "date", updated_at: "date", user_count: "integer" },
};

export function dataAttributes(model: Model): Json[] {
  const shown = (name: string, data_type: Kind, custom: boolean, api_writable: boolean): Json => ({
    ...(custom && { id: name.length * 100 + model.length, created_at: 1_700_000_000, updated_at: 1_700_000_000 }),
    type: "data_attribute",
    model,
    name,
    full_name: custom ? `custom_attributes.${name}` : name,
    label: name,
    description: "",
    data_type,
    api_writable,
    ui_writable: custom,
    messenger_writable: false,
    custom,
    archived: false,
  });
  return [
    ...Object.entries(READ_ONLY[model]).map(([name, kind]) => shown(name, kind, false, false)),
    ...Object.entries(STANDARD[model]).map(([name, kind]) => shown(name, kind, false, true)),
    ...Object.entries(CUSTOM[model]).map(([name, kind]) => shown(name, kind, true, true)),
  ];
}

function fits(kind: Kind, value: unknown): boolean {
  if (value === null) return true;
  if (kind === "string") return typeof value === "string" && value.length <= 255;
  if (kind === "boolean") return typeof value === "boolean";
  return kind === "float" ? typeof value === "number" : Number.isInteger(value);
}

/** The attributes to set. What is neither standard nor below `custom_attributes` is ignored. */
export function valuesOf(model: Model, sent: Json, old: Json): Json {
  const values: Json = {};
  for (const [name, kind] of Object.entries(STANDARD[model])) {
    const value = sent[name];
    if (value === undefined) continue;
    if (!fits(kind, value)) refuse(400, "parameter_invalid", `${name} is invalid`);
    values[name] = value === "" ? null : value;
  }
  const email = values["email"];
  if (typeof email === "string") {
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) refuse(400, "parameter_invalid", "email is invalid");
    values["email"] = email.toLowerCase();
  }
  const custom = sent["custom_attributes"];
  if (custom === undefined || custom === null) return values;
  if (!isObject(custom)) return refuse(400, "parameter_invalid", "custom_attributes must be an object");
  const before = isObject(old["custom_attributes"]) ? old["custom_attributes"] : {};
  for (const [name, value] of Object.entries(custom)) {
    const kind = CUSTOM[model][name];
    if (kind === undefined) return refuse(400, "parameter_invalid", `Custom attribute '${name}' does not exist`);
    if (!fits(kind, value)) refuse(400, "parameter_invalid", `Custom attribute '${name}' must be of type ${kind}`);
  }
  values["custom_attributes"] = { ...before, ...custom };
  return values;
}

export const blankContact = (at: number): Json => ({
  type: "contact",
  id: newId(),
  workspace_id: WORKSPACE,
  external_id: null,
  role: "user",
  email: null,
  phone: null,
  name: null,
  avatar: null,
  owner_id: null,
  social_profiles: { type: "list", data: [] },
  has_hard_bounced: false,
  marked_email_as_spam: false,
  unsubscribed_from_emails: false,
  created_at: at,
  updated_at: at,
  signed_up_at: null,
  last_seen_at: null,
  last_replied_at: null,
  last_contacted_at: null,
  language_override: null,
  location: { type: "location", country: null, region: null, city: null },
  custom_attributes: {},
});

export const blankCompany = (at: number): Json => ({
  type: "company",
  id: newId(),
  app_id: WORKSPACE,
  company_id: randomUUID(),
  name: null,
  remote_created_at: null,
  created_at: at,
  updated_at: at,
  last_request_at: null,
  monthly_spend: 0,
  session_count: 0,
  size: null,
  website: null,
  industry: null,
  plan: {},
  tags: { type: "tag.list", tags: [] },
  segments: { type: "segment.list", segments: [] },
  custom_attributes: {},
});
