/** Fields about which two systems disagree: what the record holds, what another system says, and settling it. */
import { z } from "zod";
import { Value } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { cursorQuery, PageInfo } from "../../paging.ts";

const entityParams = z.strictObject({ entityId: id("entity") });

/** Who set a value: a connector's entity, a person, or nobody we know of. */
export const ValueSource = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("source"), connectorId: z.string(), connectorEntity: z.string() }),
  z.strictObject({ kind: z.literal("user") }),
  z.strictObject({ kind: z.literal("unknown") }),
]);
export type ValueSource = z.output<typeof ValueSource>;

export const CompetingValue = z.strictObject({
  value: Value,
  connectorId: z.string(),
  connectorEntity: z.string(),
  /** When that system says it was set. */
  at: z.string(),
  reason: z.enum(["older", "lower_ranked", "not_selected", "unconfirmed", "stale_read"]),
  noticedAt: z.iso.datetime(),
});
export type CompetingValue = z.output<typeof CompetingValue>;

export const Conflict = z.strictObject({
  recordId: id("record"),
  /** What people call it: its name field, else its first text. */
  recordName: z.string().nullable(),
  /** Grows with each change of the record. */
  version: z.int().positive(),
  field: z.string(),
  value: Value,
  setBy: ValueSource,
  setAt: z.string().nullable(),
  competing: z.array(CompetingValue),
});
export type Conflict = z.output<typeof Conflict>;

export const listConflicts = endpoint({
  name: "listConflicts",
  method: "GET",
  path: "/pipelines/:entityId/conflicts",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Open conflicts: a field's value, who set it, and what other systems say.",
  params: entityParams,
  query: cursorQuery({ count: 50, max: 200 })
    .omit({ direction: true })
    .extend({
      field: z.string().max(200).optional(),
      recordId: id("record").optional(),
    }),
  reply: z.strictObject({ conflicts: z.array(Conflict), open: z.int().nonnegative(), page: PageInfo }),
});

export const Settlement = z.strictObject({
  recordId: id("record"),
  field: z.string().min(1).max(200),
  choice: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("keep") }),
    /** The value of this system becomes the record's, as a change by the caller. */
    z.strictObject({ kind: z.literal("take"), connectorId: z.string().min(1), connectorEntity: z.string().min(1) }),
  ]),
});
export type Settlement = z.output<typeof Settlement>;

export const settleConflicts = endpoint({
  name: "settleConflicts",
  method: "POST",
  path: "/pipelines/:entityId/conflicts/settle",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Settles conflicts: keeps the value, or takes another system's as a manual change that travels everywhere.",
  params: entityParams,
  body: z.strictObject({ settlements: z.array(Settlement).min(1, "must name at least one conflict").max(200) }),
  reply: z.strictObject({ settled: z.int().nonnegative(), changed: z.int().nonnegative() }),
});
