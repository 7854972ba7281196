/** The entities of Shopify, each in an envelope of its name, listed page by page by the links of the answers. */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { amount, choice, CREATE_ONLY, json, link, moment, READ_ONLY, text, whole, yesNo } from "../fields.ts";

type Calls = Pick<HttpEntityInput, "list" | "getById" | "create" | "update" | "delete">;

/** `filter`: what makes the list complete. */
function calls(all: string, one: string, filter = ""): Calls {
  const path = `/${all}/{{id}}.json`;
  return {
    list: {
      path: `/${all}.json${filter}`,
      recordSelector: all,
      // The address of a next page carries a page and its size alone: the moment is part of it already.
      paging: { kind: "linkHeader", sizeParam: "limit", size: 250 },
      watermark: { param: "updated_at_min", overlapSeconds: 60 },
    },
    getById: { path, recordSelector: one },
    create: { method: "POST", path: `/${all}.json`, recordPath: one, recordSelector: one },
    update: { method: "PUT", path, recordPath: one, recordSelector: one },
    delete: { method: "DELETE", path },
  };
}

const COMMON = { idField: "id", watermarkField: "updated_at" } as const;
const TIMES = [
  moment("created_at", { isCreatedAtField: true, ...READ_ONLY }),
  moment("updated_at", { isUpdatedAtField: true, ...READ_ONLY }),
];

export const customers: HttpEntityInput = {
  apiName: "customers",
  displayName: "Customer",
  ...COMMON,
  // A customer without a default address has no city either.
  leavesOutEmpty: true,
  missingMeansDeleted: true,
  fields: [
    whole("id", READ_ONLY),
    text("email", { unique: true }),
    text("phone", { unique: true }),
    text("first_name"),
    text("last_name"),
    text("note"),
    text("tags", { nillable: false }),
    yesNo("tax_exempt", { nillable: false }),
    yesNo("verified_email"),
    choice("state", ["disabled", "invited", "enabled", "declined"], READ_ONLY),
    whole("orders_count", READ_ONLY),
    amount("total_spent", READ_ONLY),
    text("currency", READ_ONLY),
    link("last_order_id", "orders", READ_ONLY),
    json("addresses", READ_ONLY),
    text("default_address_city", { path: "default_address.city", ...READ_ONLY }),
    text("default_address_country", { path: "default_address.country_code", ...READ_ONLY }),
    json("email_marketing_consent", READ_ONLY),
    ...TIMES,
  ],
  lookup: { field: "email", path: "/customers/search.json?query=email:{{value}}", recordSelector: "customers" },
  ...calls("customers", "customer"),
};

export const products: HttpEntityInput = {
  apiName: "products",
  displayName: "Product",
  ...COMMON,
  missingMeansDeleted: true,
  fields: [
    whole("id", READ_ONLY),
    text("title", { nillable: false }),
    text("body_html", { displayName: "Description (HTML)" }),
    text("vendor"),
    text("product_type"),
    text("handle", { unique: true, nillable: false }),
    choice("status", ["active", "archived", "draft"], { nillable: false }),
    text("tags", { nillable: false }),
    text("template_suffix"),
    text("published_scope"),
    moment("published_at", READ_ONLY),
    json("options", READ_ONLY),
    json("variants", READ_ONLY),
    json("images", READ_ONLY),
    ...TIMES,
  ],
  ...calls("products", "product"),
};

const PAYMENT = ["pending", "authorized", "partially_paid", "paid", "partially_refunded", "refunded", "voided"];

/** Without a right of its own an app is shown the orders of sixty days: one that is missing has not been deleted. */
export const orders: HttpEntityInput = {
  apiName: "orders",
  displayName: "Order",
  ...COMMON,
  fields: [
    whole("id", READ_ONLY),
    text("name", READ_ONLY),
    whole("order_number", READ_ONLY),
    link("customer_id", "customers", { path: "customer.id", ...CREATE_ONLY }),
    text("email"),
    text("phone"),
    text("note"),
    text("tags", { nillable: false }),
    text("currency", CREATE_ONLY),
    json("line_items", { nillable: false, ...CREATE_ONLY }),
    json("note_attributes"),
    json("shipping_address"),
    json("billing_address", CREATE_ONLY),
    amount("subtotal_price", READ_ONLY),
    amount("total_tax", READ_ONLY),
    amount("total_price", READ_ONLY),
    choice("financial_status", PAYMENT, CREATE_ONLY),
    choice("fulfillment_status", ["fulfilled", "partial", "restocked"], READ_ONLY),
    yesNo("test", CREATE_ONLY),
    text("cancel_reason", READ_ONLY),
    moment("cancelled_at", READ_ONLY),
    moment("closed_at", READ_ONLY),
    moment("processed_at", READ_ONLY),
    ...TIMES,
  ],
  // The list shows open orders alone unless it is asked for all.
  ...calls("orders", "order", "?status=any"),
};
