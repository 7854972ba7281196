/** The tab of the studio that somebody chose last, kept in the browser. */
export const STUDIO_TABS = ["details", "relationships"] as const;
export type StudioTab = (typeof STUDIO_TABS)[number];

const KEY = "accord.sync.tab";

export const lastTab = (storage: Pick<Storage, "getItem"> = localStorage): StudioTab =>
  STUDIO_TABS.find((tab) => tab === storage.getItem(KEY)) ?? "details";

export const rememberTab = (tab: StudioTab, storage: Pick<Storage, "setItem"> = localStorage): void =>
  storage.setItem(KEY, tab);
