/** How long what happened is kept. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/** Posts of webhooks that are read, history, ended cycles, quarantined records that are resolved, and sent mails. */
export const KEPT_KINDS = ["posts", "ledger", "cycles", "quarantine", "mails"] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

export const getRetention = endpoint({
  name: "getRetention",
  method: "GET",
  path: "/installation/retention",
  access: "signedIn",
  scope: "organisation",
  summary: "How long what happened is kept in this installation; its operator says so in the server's environment.",
  reply: z.strictObject({
    kept: z.array(
      z.strictObject({
        kind: z.enum(KEPT_KINDS),
        /** 0: for ever. */
        days: z.int().nonnegative(),
        /** Name of the environment variable. */
        setting: z.string(),
      }),
    ),
  }),
});
