/** Settings of the described systems as a person may enter them, and their entities (each table of an account is one where only the account knows them). */
import type { Values } from "@accord/contracts/data/values";

export const SYSTEM_SETTINGS: Readonly<Record<string, { config: Values; entities: readonly string[] }>> = {
  airtable: { config: { baseId: "appExample123456" }, entities: ["tables"] },
  github: { config: { owner: "octo-org", repository: "hello" }, entities: ["issues"] },
  hubspot: { config: {}, entities: ["contacts", "companies", "deals"] },
  intercom: { config: {}, entities: ["contacts", "companies"] },
  jira: { config: { site: "acme", projectKey: "SUP" }, entities: ["issues"] },
  mailchimp: { config: { dataCenter: "us21", audienceId: "a1b2c3d4e5" }, entities: ["members"] },
  notion: { config: {}, entities: ["databases"] },
  salesforce: { config: { domain: "acme" }, entities: ["Account", "Contact", "Lead", "Opportunity"] },
  shopify: { config: { shop: "acme" }, entities: ["customers", "products", "orders"] },
  stripe: { config: {}, entities: ["customers", "products"] },
  zendesk: { config: { subdomain: "acme" }, entities: ["tickets", "users", "organizations"] },
};
