/** The ledger as people read it: changes of records with what from, what to, who, and what was refused. */
import { TransactionOperation } from "./page-filters.ts";
import { z } from "zod";
import { Value } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { cursorQuery, PageInfo } from "../../paging.ts";

export const LedgerActor = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("user"), userId: z.string(), name: z.string() }),
  z.strictObject({
    kind: z.literal("source"),
    connectorId: z.string(),
    connectorEntity: z.string(),
    externalId: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("system") }),
]);

/** One change of one record: what from, what to, who or which source, and what was refused and why. */
export const Transaction = z.strictObject({
  id: id("ledgerEntry"),
  at: z.iso.datetime(),
  entityId: id("entity"),
  recordId: id("record"),
  operation: TransactionOperation,
  actor: LedgerActor,
  cycleId: id("run").nullable(),
  versionNumber: z.int().nullable(),
  changes: z.array(z.strictObject({ field: z.string(), from: Value, to: Value })),
  refused: z.array(z.strictObject({ field: z.string(), value: Value, reason: z.string() })),
});
export type Transaction = z.output<typeof Transaction>;

export const ListedTransaction = Transaction.extend({
  /** What people call the record; null where nothing is known of it, or its name is secret. */
  recordName: z.string().nullable(),
});
export type ListedTransaction = z.output<typeof ListedTransaction>;

export const listTransactions = endpoint({
  name: "listTransactions",
  method: "GET",
  path: "/transactions",
  access: "VIEW_TRANSACTIONS",
  scope: "instance",
  summary: "Changes of records, newest first; by entity, record, cycle, operation and time.",
  query: cursorQuery({ count: 100, max: 500 }).extend({
    entityId: id("entity").optional(),
    recordId: id("record").optional(),
    cycleId: id("run").optional(),
    operation: Transaction.shape.operation.optional(),
    from: z.iso.datetime().optional(),
    to: z.iso.datetime().optional(),
  }),
  reply: z.strictObject({ transactions: z.array(ListedTransaction), page: PageInfo }),
});
