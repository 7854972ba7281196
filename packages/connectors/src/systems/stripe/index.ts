/** Stripe: customers and products. Written by its API reference (https://docs.stripe.com/api). */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { choice, CREATE_ONLY, json, moment, READ_ONLY, text, texts, whole, yesNo, type FieldInput } from "../fields.ts";
import { byToken } from "../sign-in.ts";
import { defineSystem, fixedEntities } from "../system.ts";

/** Lists are newest first and show no time of change: all of them is read and compared. */
function resource(name: string): Pick<HttpEntityInput, "list" | "getById" | "create" | "update" | "delete"> {
  const path = `/${name}`;
  const one = `${path}/{{id}}`;
  return {
    list: {
      path,
      recordSelector: "data",
      paging: { kind: "lastRecord", param: "starting_after", sizeParam: "limit", size: 100 },
      stop: { hasMoreSelector: "has_more" },
    },
    getById: { path: one },
    create: { method: "POST", path, idempotencyHeader: "Idempotency-Key" },
    update: { method: "POST", path: one },
    delete: { method: "DELETE", path: one },
  };
}

const address = (of: string, at: string, more: Partial<FieldInput> = {}): FieldInput[] =>
  ["line1", "line2", "city", "postal_code", "state", "country"].map((part) =>
    text(`${of}_${part}`, { path: `${at}.${part}`, ...more }),
  );

const COMMON = {
  idField: "id",
  bodyFormat: "form",
  // An address that is nothing has no city either.
  leavesOutEmpty: true,
  missingMeansDeleted: true,
} as const;

const customers: HttpEntityInput = {
  apiName: "customers",
  displayName: "Customer",
  ...COMMON,
  deletedField: "deleted",
  fields: [
    text("id", READ_ONLY),
    text("name"),
    text("email"),
    text("phone"),
    text("description"),
    ...address("address", "address"),
    // Stripe takes name and address of a shipping together or not at all.
    text("shipping_name", { path: "shipping.name", ...READ_ONLY }),
    text("shipping_phone", { path: "shipping.phone", ...READ_ONLY }),
    ...address("shipping", "shipping.address", READ_ONLY),
    choice("tax_exempt", ["none", "exempt", "reverse"], { nillable: false }),
    texts("preferred_locales"),
    whole("balance"),
    text("invoice_prefix"),
    text("currency", READ_ONLY),
    yesNo("delinquent", READ_ONLY),
    json("metadata", CREATE_ONLY),
    yesNo("livemode", READ_ONLY),
    yesNo("deleted", READ_ONLY),
    moment("created", { isCreatedAtField: true, ...READ_ONLY }),
  ],
  ...resource("customers"),
};

const products: HttpEntityInput = {
  apiName: "products",
  displayName: "Product",
  ...COMMON,
  fields: [
    text("id", READ_ONLY),
    text("name", { nillable: false }),
    text("description"),
    yesNo("active", { nillable: false }),
    text("url"),
    texts("images"),
    text("unit_label"),
    yesNo("shippable"),
    text("statement_descriptor"),
    text("default_price", READ_ONLY),
    text("tax_code", READ_ONLY),
    json("metadata", CREATE_ONLY),
    yesNo("livemode", READ_ONLY),
    moment("created", { isCreatedAtField: true, ...READ_ONLY }),
    moment("updated", { isUpdatedAtField: true, ...READ_ONLY }),
  ],
  ...resource("products"),
};

export const stripe = defineSystem({
  type: "stripe",
  displayName: "Stripe",
  description: "Customers and products, read and written; creations are safe to repeat.",
  icon: "stripe",
  backgroundColor: "violet",
  helpUrl: "https://docs.stripe.com/api",
  inputs: {},
  inputFields: [],
  signIn: [
    byToken({
      label: "Secret key",
      input: "Secret or restricted key",
      helpText: "Starts with sk_ or rk_; a restricted key needs to read and write customers and products.",
    }),
  ],
  api: () => ({
    baseUrl: "https://api.stripe.com/v1",
    checkPath: "/customers?limit=1",
    errorSelector: "error.message",
    headers: [{ name: "Stripe-Version", value: "2024-06-20" }],
  }),
  entities: fixedEntities(() => [customers, products]),
});
