/** Steps of a webhook's configuration, in order. */
export const STEPS = ["configure", "payload", "response", "test", "review"] as const;
export type Step = (typeof STEPS)[number];
