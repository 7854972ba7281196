/** Values that the core's field can't hold, or a destination's can't take, as long as they stand. */
import { z } from "zod";
import { Value } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { cursorQuery, PageInfo } from "../../paging.ts";

export const RefusedValue = z.strictObject({
  recordId: id("record"),
  /** What people call it; null where it has no name. */
  recordName: z.string().nullable(),
  externalId: z.string(),
  /** `source`: it did not come in. `destination`: it was not written. */
  direction: z.enum(["source", "destination"]),
  /** Source that it comes from, or destination that can't take it. */
  nodeId: z.string(),
  connectorId: z.string(),
  connectorEntity: z.string(),
  /** Of the core; of the system at a destination. */
  field: z.string(),
  value: Value,
  /** Why the destination's field can't take it; null for values of sources, and where it can by now. */
  reason: z.string().nullable(),
  at: z.iso.datetime(),
});
export type RefusedValue = z.output<typeof RefusedValue>;

export const listRefusedValues = endpoint({
  name: "listRefusedValues",
  method: "GET",
  path: "/pipelines/:entityId/refused-values",
  access: "READ_STUDIO",
  scope: "instance",
  summary:
    "Values that fields of the core can't hold or fields of destinations can't take, with their records, newest first.",
  params: z.strictObject({ entityId: id("entity") }),
  query: cursorQuery({ count: 50, max: 200 }).extend({
    nodeId: z.string().max(64).optional(),
    field: z.string().max(200).optional(),
  }),
  reply: z.strictObject({ values: z.array(RefusedValue), page: PageInfo }),
});
