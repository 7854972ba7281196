/** Shopify: customers, products and orders. Written by its REST Admin API reference (https://shopify.dev/docs/api/admin-rest). */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { accountName, byClientCredentials } from "../sign-in.ts";
import { defineSystem, fixedEntities } from "../system.ts";
import { customers, orders, products } from "./entities.ts";

interface Shop {
  shop: string;
}

const ENTITIES: readonly HttpEntityInput[] = [customers, products, orders];

export const shopify = defineSystem({
  type: "shopify",
  displayName: "Shopify",
  description: "Customers, products and orders of one shop, read and written.",
  icon: "shop",
  backgroundColor: "teal",
  helpUrl: "https://shopify.dev/docs/api/admin-rest",
  inputs: {
    shop: accountName("the shop's myshopify.com address"),
  },
  inputFields: [
    {
      name: "shop",
      label: "Shop",
      datatype: "string",
      required: true,
      helpText: "acme, where the shop's own address is acme.myshopify.com",
    },
  ],
  signIn: [
    byClientCredentials({
      label: "Client ID and secret of an app",
      idLabel: "Client ID",
      secretLabel: "Client secret",
      helpText: "Of an app from the Dev Dashboard that is installed in this shop; its tokens are renewed by Accord.",
    }),
    {
      type: "apiKey",
      label: "Admin API access token",
      fields: [
        {
          name: "apiKey",
          label: "Admin API access token",
          datatype: "password",
          secret: true,
          required: true,
          helpText:
            "Of a custom app that was made in the shop's own admin; newer apps have a client ID and secret instead.",
        },
      ],
      as: (credentials) => ({ type: "apiKey", credentials }),
    },
  ],
  api: ({ shop }) => ({
    baseUrl: `https://${shop}.myshopify.com/admin/api/2026-01`,
    apiKeyPlace: "header",
    apiKeyName: "X-Shopify-Access-Token",
    tokenUrl: `https://${shop}.myshopify.com/admin/oauth/access_token`,
    tokenHeader: "X-Shopify-Access-Token",
    checkPath: "/shop.json",
    errorSelector: "errors",
    // A shop takes two calls a second in the long run.
    parallelWrites: 2,
  }),
  entities: fixedEntities<Shop>(() => ENTITIES),
});
