/** How often cards on a dashboard ask for newer data, besides when records change: each person's choice, kept in the browser. */
import { useState } from "react";

export const REFRESH_CHOICES = ["10s", "1m", "5m", "changes"] as const;
export type RefreshChoice = (typeof REFRESH_CHOICES)[number];

const INTERVAL_MS: Record<RefreshChoice, number | null> = { "10s": 10_000, "1m": 60_000, "5m": 300_000, changes: null };
const KEY = "accord.dashboard-refresh";

const isChoice = (text: string | null): text is RefreshChoice => REFRESH_CHOICES.some((choice) => choice === text);

function kept(): RefreshChoice {
  try {
    const text = localStorage.getItem(KEY);
    return isChoice(text) ? text : "1m";
  } catch {
    return "1m";
  }
}

export function useAutoRefresh() {
  const [choice, setChoice] = useState(kept);
  return {
    choice,
    intervalMs: INTERVAL_MS[choice],
    choose(next: RefreshChoice): void {
      setChoice(next);
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // Without storage the choice holds until the page is left.
      }
    },
  };
}
