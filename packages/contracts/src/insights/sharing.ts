/** Sharing a published dashboard with people who have no account, and what those people may call. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { CardData, CardPresentation } from "./cards.ts";
import { CrossFilters, Unfiltered } from "./cross-filter.ts";
import { CardLayout } from "./dashboards.ts";
import { MailAddress } from "./mail-domains.ts";
import { Variable, VariableValues } from "./variables.ts";

export const SHARING = {
  defaultExpiryDays: 30,
  /** Wrong passwords or codes of one network or browser before a pause. */
  tries: 10,
  lockMinutes: 15,
  /** A mailed code is good this long. */
  codeMinutes: 15,
  sessionHours: 12,
  recipients: 50,
} as const;

/** Unpadded base64url of the lower-cased address: what stands for `{email}` in addresses. Runs in browser and server. */
export const encodeEmail = (email: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(email.trim().toLowerCase())))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The address behind `encodeEmail`, or null when the text is none. Never proof of who somebody is. */
export function decodeEmail(text: string): string | null {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
}

export const sharedDashboardPath = (email: string, dashboardId: string): string =>
  `/insightssharing/user/${encodeEmail(email)}/dashboard/${dashboardId}`;

const ExpiryDate = z.iso.datetime().nullable();

export const SHARE_STATUSES = ["INVITED", "VIEWED", "EXPIRED"] as const;

export const Share = z.strictObject({
  sharedItemId: id("share"),
  email: z.string(),
  expiryDate: ExpiryDate,
  status: z.enum(SHARE_STATUSES),
  sharedBy: z.string(),
  sharedAt: z.iso.datetime(),
  lastViewedAt: z.iso.datetime().nullable(),
  /** Many wrong passwords or codes lately, from wherever: attempts are slowed down. */
  locked: z.boolean(),
  link: z.string(),
});
export type Share = z.output<typeof Share>;

/** What the sharer sees once: hand the password over by another way than the mail with the link. */
export const ShareResult = z.strictObject({ share: Share, password: z.string().nullable(), mailed: z.boolean() });
export type ShareResult = z.output<typeof ShareResult>;

const DashboardParams = z.strictObject({ id: id("dashboard") });
const ShareParams = z.strictObject({ id: id("dashboard"), sharedItemId: id("share") });

export const shareDashboard = endpoint({
  name: "shareDashboard",
  method: "POST",
  path: "/dashboards/:id/shares",
  access: "SHARE_DASHBOARD",
  scope: "instance",
  summary: "Shares a published dashboard with people by e-mail address.",
  params: DashboardParams,
  body: z.strictObject({
    emails: z.array(MailAddress).min(1, "name at least one address").max(SHARING.recipients),
    expiryDate: ExpiryDate,
    message: z.string().max(1_000).default(""),
    /** `password`: shown to you once; `code`: each visit asks for a code that is mailed. */
    secret: z.enum(["password", "code"]).default("password"),
  }),
  reply: z.strictObject({ shares: z.array(ShareResult) }),
  errors: ["dashboard_seeded", "invalid_state", "validation_failed", "domain_not_allowed"],
});

export const listShares = endpoint({
  name: "listShares",
  method: "GET",
  path: "/dashboards/:id/shares",
  access: "READ_SHARED_DASHBOARD_DETAILS",
  scope: "instance",
  summary: "With whom a dashboard is shared, the newest first.",
  params: DashboardParams,
  query: z.strictObject({
    /** Part of an address. */
    predicate: z.string().max(200).optional(),
    cursor: z.string().max(500).optional(),
    pageSize: z.coerce.number().int().min(1).max(100).default(25),
    direction: z.enum(["next", "previous"]).default("next"),
  }),
  reply: z.strictObject({
    shares: z.array(Share),
    nextCursor: z.string().nullable(),
    previousCursor: z.string().nullable(),
    total: z.int(),
  }),
});

export const updateShareExpiry = endpoint({
  name: "updateShareExpiry",
  method: "PUT",
  path: "/dashboards/:id/shares/:sharedItemId/expiry",
  access: "UPDATE_SHARED_DASHBOARD_EXPIRY",
  scope: "instance",
  summary: "Extends or shortens a share; extended only to people whose domain is allowed.",
  params: ShareParams,
  body: z.strictObject({ expiryDate: ExpiryDate }),
  reply: Share,
  errors: ["domain_not_allowed"],
});

export const deleteShare = endpoint({
  name: "deleteShare",
  method: "DELETE",
  path: "/dashboards/:id/shares/:sharedItemId",
  access: "DELETE_SHARED_DASHBOARD_DETAILS",
  scope: "instance",
  summary: "Takes a share back; open views of it end at once.",
  params: ShareParams,
  reply: z.strictObject({}),
});

export const reshareDashboard = endpoint({
  name: "reshareDashboard",
  method: "POST",
  path: "/dashboards/:id/shares/:sharedItemId/reshare",
  access: "SHARE_DASHBOARD",
  scope: "instance",
  summary: "Gives a share a new password and expiry, mails the link again and ends open views.",
  params: ShareParams,
  body: z.strictObject({ expiryDate: ExpiryDate, secret: z.enum(["password", "code"]).default("password") }),
  reply: ShareResult,
  errors: ["dashboard_seeded", "invalid_state", "validation_failed", "domain_not_allowed"],
});

// What the invited person calls. Dashboards are named by the invitation, so ids here prove nothing.

const Invitation = z.strictObject({ email: z.string().max(400), dashboardId: id("dashboard") });

export const openSharedDashboard = endpoint({
  name: "openSharedDashboard",
  method: "POST",
  path: "/shared/open",
  access: "public",
  scope: "none",
  summary: "Opens a shared dashboard with its password or a mailed code.",
  body: z.strictObject({ ...Invitation.shape, secret: z.string().min(1).max(200) }),
  reply: z.strictObject({ dashboardId: z.string() }),
  errors: ["invalid_credentials", "share_expired", "too_many_tries"],
});

export const requestShareCode = endpoint({
  name: "requestShareCode",
  method: "POST",
  path: "/shared/code",
  access: "public",
  scope: "none",
  summary: "Mails a one-time code when the address was invited; answers the same when it was not.",
  body: Invitation,
  reply: z.strictObject({}),
  errors: ["too_many_tries"],
});

export const SharedCard = z.strictObject({
  id: id("dataCard"),
  displayName: z.string(),
  description: z.string(),
  layout: CardLayout.omit({ i: true }),
  configuration: CardPresentation,
  /** Only those the viewer may change. */
  variables: z.array(Variable),
});
export type SharedCard = z.output<typeof SharedCard>;

export const getSharedDashboard = endpoint({
  name: "getSharedDashboard",
  method: "GET",
  path: "/shared/dashboards/:dashboardId",
  access: "shareViewer",
  scope: "none",
  summary: "A shared dashboard as it was published, for the invited person.",
  params: z.strictObject({ dashboardId: id("dashboard") }),
  reply: z.strictObject({
    displayName: z.string(),
    description: z.string(),
    sharedBy: z.string(),
    email: z.string(),
    expiryDate: ExpiryDate,
    cards: z.array(SharedCard),
    /** Everything shared with this person, for the switcher. */
    others: z.array(z.strictObject({ dashboardId: z.string(), displayName: z.string() })),
  }),
  errors: ["share_expired", "share_password_required"],
});

export const getSharedCardData = endpoint({
  name: "getSharedCardData",
  method: "POST",
  path: "/shared/dashboards/:dashboardId/cards/:cardId/data",
  access: "shareViewer",
  scope: "none",
  summary:
    "The data of one card of a shared dashboard; only updatable variables are taken, and filters by values that the person sees.",
  params: z.strictObject({ dashboardId: id("dashboard"), cardId: id("dataCard") }),
  body: z.strictObject({ variablesMap: VariableValues.default({}), filters: CrossFilters.default([]) }),
  reply: z.strictObject({ data: CardData, unfiltered: z.array(Unfiltered) }),
  errors: ["share_expired", "share_password_required", "validation_failed", "query_timeout", "answer_too_large"],
});

export const closeSharedDashboard = endpoint({
  name: "closeSharedDashboard",
  method: "POST",
  path: "/shared/close",
  access: "shareViewer",
  scope: "none",
  summary: "Ends the invited person's session.",
  body: z.strictObject({}),
  reply: z.strictObject({}),
});
