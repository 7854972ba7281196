/** Notifications: what happened in an instance that somebody should know, kept for 30 days under the bell. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";

export const NOTIFICATION_SEVERITIES = ["success", "info", "warning", "error"] as const;

export const Notification = z.strictObject({
  id: id("notification"),
  at: z.iso.datetime(),
  severity: z.enum(NOTIFICATION_SEVERITIES),
  message: z.string(),
  detail: z.string(),
  /** Where in the product it can be looked into; empty when nowhere. */
  link: z.string(),
  /** Whether the reader has seen it. */
  read: z.boolean(),
});
export type Notification = z.output<typeof Notification>;

export const listNotifications = endpoint({
  name: "listNotifications",
  method: "GET",
  path: "/notifications",
  access: "signedIn",
  scope: "instance",
  summary: "What the caller was told in this instance, the newest first, and how much of it is unread.",
  query: cursorQuery({ count: 30, max: 100 }),
  reply: z.strictObject({
    notifications: z.array(Notification),
    unread: z.int().nonnegative(),
    pageInfo: PageInfo,
  }),
});

export const markNotificationsRead = endpoint({
  name: "markNotificationsRead",
  method: "POST",
  path: "/notifications/read",
  access: "signedIn",
  scope: "instance",
  summary: "Notes that the caller has seen everything up to this notification.",
  body: z.strictObject({ upTo: id("notification") }),
  reply: z.strictObject({}),
});

/** Pushed when somebody was told something; what it is, each reads for themselves. */
export const notificationsChanged = event({
  name: "notificationsChanged",
  channel: "instance",
  access: "signedIn",
  payload: z.strictObject({}),
});
