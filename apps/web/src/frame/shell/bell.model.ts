/** What stands under the bell, from what the server told and what ended in this tab. */
import type { Notification } from "@accord/contracts/operations/notifications";
import type { Notice } from "../../app/notices.ts";

export interface BellEntry {
  id: string;
  /** Milliseconds. */
  at: number;
  severity: Notification["severity"];
  message: string;
  detail: string;
  /** Empty when there is nowhere to look. */
  link: string;
  isRead: boolean;
}

/** The newest first. What ended in this tab was seen there. */
export function bellEntries(told: readonly Notification[], here: readonly Notice[]): BellEntry[] {
  const entries = [
    ...told.map(({ id, at, severity, message, detail, link, read }) => {
      return { id, at: Date.parse(at), severity, message, detail, link, isRead: read };
    }),
    ...here.map(({ id, at, variant, message, description = "", to = "" }) => {
      return { id, at, severity: variant, message, detail: description, link: to, isRead: true };
    }),
  ];
  return entries.sort((left, right) => right.at - left.at);
}

/** A link of a notification as the router takes it: its query apart. */
export function linkParts(link: string): { to: string; search: Record<string, string> } {
  const [to = "", query = ""] = link.split("?");
  return { to, search: Object.fromEntries(new URLSearchParams(query)) };
}
