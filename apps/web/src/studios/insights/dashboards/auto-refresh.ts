/** How often cards on a dashboard ask for newer data, besides when records change: each person's choice, kept in the browser. */
import { useState } from "react";
import { z } from "zod";
import { keepInBrowser, readInBrowser } from "../../../shared/browser-storage.ts";

export const REFRESH_CHOICES = ["10s", "1m", "5m", "changes"] as const;
export type RefreshChoice = (typeof REFRESH_CHOICES)[number];

const INTERVAL_MS: Record<RefreshChoice, number | null> = { "10s": 10_000, "1m": 60_000, "5m": 300_000, changes: null };
const KEY = "accord.dashboard-refresh";

const kept = (): RefreshChoice => readInBrowser(KEY, z.enum(REFRESH_CHOICES)) ?? "1m";

export function useAutoRefresh() {
  const [choice, setChoice] = useState(kept);
  return {
    choice,
    intervalMs: INTERVAL_MS[choice],
    choose(next: RefreshChoice): void {
      setChoice(next);
      // Without storage the choice holds until the page is left.
      keepInBrowser(KEY, next);
    },
  };
}
