/** How the columnar mirror of an instance stands: which entities it has copies of, and how far it has come with others. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const getMirrorStatus = endpoint({
  name: "getMirrorStatus",
  method: "GET",
  path: "/insights/mirror",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The entities that are copied into the columnar mirror of Insights. PostgreSQL answers for all others.",
  reply: z.strictObject({
    /**
     * `off`: by the settings of the server. `idle`: nobody has asked anything yet that it would answer faster.
     * `unavailable`: its process does not start here; it is tried again.
     */
    state: z.enum(["off", "idle", "starting", "ready", "unavailable"]),
    entities: z.array(
      z.strictObject({
        apiName: z.string(),
        /** `disk_limit`: it takes more room than it may. `failed`: it is tried again. */
        state: z.enum(["building", "ready", "disk_limit", "failed"]),
        /** Copied so far. */
        records: z.int(),
      }),
    ),
  }),
});
