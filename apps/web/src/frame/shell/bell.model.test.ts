/** What the bell lists. */
import type { Notification } from "@accord/contracts/operations/notifications";
import { expect, test } from "vitest";
import { bellEntries, linkParts } from "./bell.model.ts";

const told = (message: string, at: string, read: boolean): Notification => ({
  id: message as Notification["id"],
  at,
  severity: "error",
  message,
  detail: "why",
  link: "/sync-studio",
  read,
});

test("what people were told and what ended in this tab stand together, the newest first", () => {
  const here = [{ id: "x", at: Date.parse("2026-01-02T00:00:00Z"), variant: "success" as const, message: "Exported" }];
  const entries = bellEntries(
    [told("Stopped", "2026-01-03T00:00:00Z", false), told("Done", "2026-01-01T00:00:00Z", true)],
    here,
  );
  expect(entries.map(({ message, isRead, link }) => [message, isRead, link])).toEqual([
    ["Stopped", false, "/sync-studio"],
    ["Exported", true, ""],
    ["Done", true, "/sync-studio"],
  ]);
});

test("a notification leads to what it is about, with what the address is filtered by", () => {
  expect(linkParts("/sync-studio/details?panel=activity&tab=quarantine")).toEqual({
    to: "/sync-studio/details",
    search: { panel: "activity", tab: "quarantine" },
  });
  expect(linkParts("/synapses")).toEqual({ to: "/synapses", search: {} });
});
