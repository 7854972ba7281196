/** How the panel beside a draft was left: open or not, its tab and its view; each person's choice, kept in the browser. */
import { useState } from "react";
import { z } from "zod";
import { keepInBrowser, readInBrowser } from "../../../shared/browser-storage.ts";

const KEY = "accord.insights.sidebar";

const Sidebar = z.object({
  open: z.boolean().catch(false),
  tab: z.enum(["cards", "datasets"]).catch("cards"),
  view: z.enum(["list", "tiles"]).catch("list"),
});
export type Sidebar = z.output<typeof Sidebar>;

const DEFAULTS: Sidebar = { open: false, tab: "cards", view: "list" };

export function useSidebar(): [Sidebar, (change: Partial<Sidebar>) => void] {
  const [sidebar, setSidebar] = useState(() => readInBrowser(KEY, Sidebar) ?? DEFAULTS);
  const change = (part: Partial<Sidebar>): void => {
    const next = { ...sidebar, ...part };
    setSidebar(next);
    keepInBrowser(KEY, next);
  };
  return [sidebar, change];
}
