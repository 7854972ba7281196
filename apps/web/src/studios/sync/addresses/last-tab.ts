/** The tab of the studio that somebody chose last, kept in the browser. */
import { z } from "zod";
import { keepInBrowser, readInBrowser } from "../../../shared/browser-storage.ts";

export const STUDIO_TABS = ["details", "relationships"] as const;
export type StudioTab = (typeof STUDIO_TABS)[number];

const KEY = "accord.sync.tab";

export const lastTab = (): StudioTab => readInBrowser(KEY, z.enum(STUDIO_TABS)) ?? "details";

export const rememberTab = (tab: StudioTab): void => keepInBrowser(KEY, tab);
