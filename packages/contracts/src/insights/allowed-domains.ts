/** The domains that dashboards may be shared with, those in use, and everything that is shared, on all dashboards. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { MailDomain } from "./mail-domains.ts";

export const ALLOWED_DOMAINS = { most: 200, atOnce: 100, listed: 200 } as const;

export const AllowedDomain = z.strictObject({
  domain: z.string(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});
export type AllowedDomain = z.output<typeof AllowedDomain>;

/** By name. Empty: people of any domain may be invited. */
const AllowedDomains = z.strictObject({ domains: z.array(AllowedDomain) });

export const listAllowedDomains = endpoint({
  name: "listAllowedDomains",
  method: "GET",
  path: "/sharing/allowed-domains",
  access: "READ_ALLOWED_DOMAINS",
  scope: "instance",
  summary: "The domains that dashboards may be shared with; none means any.",
  reply: AllowedDomains,
});

export const createAllowedDomains = endpoint({
  name: "createAllowedDomains",
  method: "POST",
  path: "/sharing/allowed-domains",
  access: "CREATE_ALLOWED_DOMAINS",
  scope: "instance",
  summary: "Allows sharing with people of these domains. With the first one, all other domains are refused.",
  body: z.strictObject({ domains: z.array(MailDomain).min(1).max(ALLOWED_DOMAINS.atOnce) }),
  reply: AllowedDomains,
  errors: ["validation_failed"],
});

export const deleteAllowedDomain = endpoint({
  name: "deleteAllowedDomain",
  method: "DELETE",
  path: "/sharing/allowed-domains/:domain",
  access: "CREATE_ALLOWED_DOMAINS",
  scope: "instance",
  summary:
    "Takes a domain off the list. What is shared with people there stays shared. Without the last domain, people of any domain may be invited.",
  params: z.strictObject({ domain: MailDomain }),
  reply: AllowedDomains,
});

export const DomainInUse = z.strictObject({
  domain: z.string(),
  /** Different addresses that have access to a dashboard now. */
  people: z.int(),
  isAllowed: z.boolean(),
});
export type DomainInUse = z.output<typeof DomainInUse>;

export const listDomainsInUse = endpoint({
  name: "listDomainsInUse",
  method: "GET",
  path: "/sharing/domains-in-use",
  access: "READ_ALLOWED_DOMAINS",
  scope: "instance",
  summary: "The domains of the people who have access to a shared dashboard now, those with most people first.",
  reply: z.strictObject({
    domains: z.array(DomainInUse).max(ALLOWED_DOMAINS.listed),
    total: z.int(),
    /** Who has access though their domain is not on the list. */
    peopleOutside: z.int(),
  }),
});

export const SharedItem = z.strictObject({
  sharedItemId: id("share"),
  email: z.string(),
  dashboardId: id("dashboard"),
  dashboardName: z.string(),
  expiryDate: z.iso.datetime().nullable(),
  isAllowed: z.boolean(),
});
export type SharedItem = z.output<typeof SharedItem>;

export const listSharedItems = endpoint({
  name: "listSharedItems",
  method: "GET",
  path: "/sharing/items",
  access: "READ_ALL_SHARED_DASHBOARDS",
  scope: "instance",
  summary: "Who has access to which shared dashboard now, by address.",
  query: z.strictObject({
    domain: MailDomain.optional(),
    /** `true`: only people whose domain is not on the list of allowed ones. */
    outside: z.enum(["true", "false"]).default("false"),
    cursor: z.string().max(600).optional(),
    pageSize: z.coerce.number().int().min(1).max(100).default(25),
  }),
  reply: z.strictObject({
    items: z.array(SharedItem),
    nextCursor: z.string().nullable(),
    /** Different addresses on all pages. */
    people: z.int(),
  }),
});
