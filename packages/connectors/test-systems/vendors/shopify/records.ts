/** Shopify's customers, products and orders: what may be written, how values are normalised, and what it answers to those it refuses. */
import { isObject, Refusal, type Json } from "../kit.ts";

export type Kind = "text" | "email" | "phone" | "tags" | "boolean" | "list" | readonly string[];

/** Ids are whole numbers beyond 32 bits. */
let lastId = 6_940_095_564_000;
export const newId = (): number => (lastId += 37);

export function refuse(status: number, errors: unknown): never {
  throw new Refusal({ status, body: { errors } });
}

const OFFSET_HOURS = -5;
/** In whole seconds and in the shop's time zone: `2024-10-02T09:28:43-05:00`. */
export const shopTime = (at: number): string =>
  `${new Date(at + OFFSET_HOURS * 3_600_000).toISOString().slice(0, 19)}-05:00`;

export const CUSTOMER: Record<string, Kind> = {
  first_name: "text",
  last_name: "text",
  email: "email",
  phone: "phone",
  note: "text",
  tags: "tags",
  tax_exempt: "boolean",
  verified_email: "boolean",
  addresses: "list",
};
export const PRODUCT: Record<string, Kind> = {
  title: "text",
  body_html: "text",
  vendor: "text",
  product_type: "text",
  handle: "text",
  template_suffix: "text",
  status: ["active", "draft", "archived"],
  tags: "tags",
};
export const ORDER: Record<string, Kind> = { note: "text", tags: "tags", email: "email", phone: "phone" };

/** One text divided by commas, in order of the alphabet, each tag once whatever its case. */
function tagsOf(sent: unknown): string {
  const tags = (Array.isArray(sent) ? sent.map(String) : String(sent ?? "").split(",")).map((tag) => tag.trim());
  const once = new Map(tags.filter((tag) => tag !== "").map((tag) => [tag.toLowerCase(), tag]));
  for (const tag of once.values())
    if (tag.length > 255) refuse(422, { tags: ["is too long (maximum is 255 characters)"] });
  return [...once.values()].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).join(", ");
}

function valueOf(name: string, kind: Kind, sent: unknown): unknown {
  if (kind === "tags") return tagsOf(sent);
  if (kind === "list") return Array.isArray(sent) ? sent : refuse(400, { [name]: "expected a value to be an Array" });
  if (kind === "boolean") return sent === true || sent === "true" || sent === 1;
  if (sent === null) return null;
  if (typeof sent === "object") return refuse(400, { [name]: "expected Hash to be a String" });
  const text = String(sent);
  if (typeof kind !== "string")
    return kind.includes(text) ? text : refuse(422, { [name]: ["is not included in the list"] });
  if (text === "" && kind !== "text") return null;
  if (text.length > 255 && !["note", "body_html"].includes(name))
    refuse(422, { [name]: ["is too long (maximum is 255 characters)"] });
  if (kind === "email") {
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) refuse(422, { email: ["is invalid"] });
    return text.trim().toLowerCase();
  }
  if (kind === "phone") {
    const digits = text.replaceAll(/[\s().-]/g, "");
    if (!/^\+?\d{7,15}$/.test(digits)) refuse(422, { phone: ["is invalid"] });
    // Without a country's number it is taken as one of the shop's country.
    return digits.startsWith("+") ? digits : `+1${digits}`;
  }
  return text;
}

/** Attributes that Shopify doesn't know are ignored. */
export function valuesOf(kinds: Record<string, Kind>, sent: Json): Json {
  const known = Object.entries(kinds).filter(([name]) => sent[name] !== undefined);
  return Object.fromEntries(known.map(([name, kind]) => [name, valueOf(name, kind, sent[name])]));
}

/** What the envelope holds: `{"customer": {…}}`. */
export function unwrapped(body: unknown, envelope: string): Json {
  const inner = isObject(body) ? body[envelope] : undefined;
  return isObject(inner) ? inner : refuse(400, { [envelope]: "Required parameter missing or invalid" });
}

const named = (kind: string, id: number, at: number): Json => ({
  id,
  admin_graphql_api_id: `gid://shopify/${kind}/${id}`,
  created_at: shopTime(at),
  updated_at: shopTime(at),
});

export const blankCustomer = (id: number, at: number): Json => ({
  ...named("Customer", id, at),
  email: null,
  first_name: null,
  last_name: null,
  orders_count: 0,
  state: "disabled",
  total_spent: "0.00",
  last_order_id: null,
  last_order_name: null,
  note: null,
  verified_email: true,
  multipass_identifier: null,
  tax_exempt: false,
  tags: "",
  currency: "USD",
  phone: null,
  addresses: [],
  tax_exemptions: [],
  email_marketing_consent: null,
  sms_marketing_consent: null,
});

export const blankProduct = (id: number, at: number): Json => ({
  ...named("Product", id, at),
  title: null,
  body_html: null,
  vendor: "Apple Computers",
  product_type: "",
  handle: "",
  published_at: shopTime(at),
  published_scope: "web",
  template_suffix: null,
  status: "active",
  tags: "",
  variants: [
    { ...named("ProductVariant", newId(), at), product_id: id, title: "Default Title", price: "0.00", sku: null },
  ],
  options: [{ id: newId(), product_id: id, name: "Title", position: 1, values: ["Default Title"] }],
  images: [],
  image: null,
});

export const blankOrder = (id: number, at: number, number: number): Json => ({
  ...named("Order", id, at),
  name: `#${1000 + number}`,
  number,
  order_number: 1000 + number,
  email: "",
  phone: null,
  note: null,
  tags: "",
  currency: "USD",
  total_price: "409.94",
  financial_status: "paid",
  fulfillment_status: null,
  processed_at: shopTime(at),
  closed_at: null,
  cancelled_at: null,
  customer: null,
  line_items: [],
});
