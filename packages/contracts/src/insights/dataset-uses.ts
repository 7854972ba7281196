/** What uses datasets and their parts, and how fresh their data is. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Dependency } from "./datasets.ts";

/** A column or variable that a change of a dataset removes, and what uses it. */
export const PartUse = z.strictObject({
  kind: z.enum(["column", "variable"]),
  name: z.string(),
  displayName: z.string(),
  usedBy: z.array(Dependency),
});
export type PartUse = z.infer<typeof PartUse>;

export const listDatasetUses = endpoint({
  name: "listDatasetUses",
  method: "GET",
  path: "/datasets/uses",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The dashboards that use each dataset, in their draft or published, and when its data last changed.",
  reply: z.strictObject({
    datasets: z.array(
      z.strictObject({
        id: id("dataset"),
        dashboards: z.array(z.string()),
        /** When a record that it reads was last written; null when there is none. */
        dataAsOf: z.iso.datetime().nullable(),
      }),
    ),
  }),
});
