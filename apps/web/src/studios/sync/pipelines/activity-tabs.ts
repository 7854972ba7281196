/** Tabs of a pipeline's activity, as addresses spell them. */
export const ACTIVITY_TABS = ["cycles", "problems", "refused", "conflicts", "merges", "quarantine"] as const;
export type ActivityTab = (typeof ACTIVITY_TABS)[number];
