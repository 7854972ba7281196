/** What a batch of operations comes to on a tab as it was just read: outcomes that are certain, and the cells to change. */
import {
  comparableValues,
  holdsExpected,
  type SourceRecord,
  type WriteOperation,
  type WriteOutcome,
} from "@accord/connector-sdk";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import { createHash } from "node:crypto";
import { idFieldOf, unreadableRecord, type Records } from "../reading/records.ts";
import { columnNamed, type Row, type TabContent } from "../reading/tab.ts";
import { cellOf, UnwritableValue, type WrittenCell } from "./cells.ts";

/** Cells to change in a row, by column. */
export type Cells = Map<number, WrittenCell>;

export interface Plan {
  /** In the order of the operations; null: what comes of the call. */
  outcomes: (WriteOutcome | null)[];
  /** What each open operation is answered with once the call was a success. */
  done: Map<number, Extract<WriteOutcome, { status: "done" }>>;
  changed: { row: Row; cells: Cells }[];
  added: Cells[];
  removed: Row[];
}

/** A row as it will stand after the operations so far. */
interface Planned {
  record: SourceRecord;
  /** null: it is added. */
  row: Row | null;
  cells: Cells;
  isRemoved: boolean;
}

const words = googleSheets.writes;
const rejected = (code: string, message: string, field?: string): WriteOutcome => ({
  status: "rejected",
  code,
  message,
  ...(field !== undefined && { field }),
});

interface Planning {
  content: TabContent;
  entity: EntitySchema;
  records: Records;
  id: FieldSchema;
  planned: Map<string, Planned>;
  removed: Row[];
}

/** @throws ConnectorError `schemaChanged` where a column that is compared or written is gone. */
export function planOf(
  content: TabContent,
  entity: EntitySchema,
  records: Records,
  operations: readonly WriteOperation[],
): Plan {
  const planning: Planning = { content, entity, records, id: idFieldOf(entity), planned: new Map(), removed: [] };
  const done: Plan["done"] = new Map();
  const outcomes = operations.map((operation, at): WriteOutcome | null => {
    const outcome = operation.kind === "create" ? create(planning, operation) : change(planning, operation);
    if (outcome.status !== "done") return outcome;
    done.set(at, outcome);
    return null;
  });
  const kept = [...planning.planned.values()].filter(({ isRemoved }) => !isRemoved);
  return {
    outcomes,
    done,
    changed: kept.flatMap(({ row, cells }) => (row && cells.size > 0 ? [{ row, cells }] : [])),
    added: kept.flatMap(({ row, cells }) => (row ? [] : [cells])),
    removed: planning.removed,
  };
}

function plannedOf({ planned, records }: Planning, id: string): Planned | undefined {
  const known = planned.get(id);
  if (known) return known.isRemoved ? undefined : known;
  const found = records.byId.get(id);
  if (!found) return undefined;
  const { place: _, ...record } = found.record;
  const fresh = { record, row: found.row, cells: new Map(), isRemoved: false };
  planned.set(id, fresh);
  return fresh;
}

function create(planning: Planning, operation: Extract<WriteOperation, { kind: "create" }>): WriteOutcome {
  const { id: idField, records, planned } = planning;
  const given = operation.values[idField.apiName] ?? null;
  if ((given === null || given === "") && idField.dataType === "integer")
    return rejected("id_missing", fill(words.needsId, { column: idField.apiName }), idField.apiName);
  const id = given === null || given === "" ? idFor(operation.idempotencyKey) : String(given);
  const written = writtenCells(planning, {
    ...operation.values,
    [idField.apiName]: given === null || given === "" ? id : given,
  });
  if ("status" in written) return written;
  const { cells, stored } = written;
  const existing = plannedOf(planning, id);
  // A creation that was done already, though its answer got lost.
  if (existing && holdsAll(existing.record, stored)) return { status: "done", id, values: stored };
  if (existing || records.doubled.has(id)) return rejected("duplicate", fill(words.idTaken, { id }), idField.apiName);
  planned.set(id, { record: { id, values: { ...stored } }, row: null, cells, isRemoved: false });
  return { status: "done", id, values: stored };
}

const holdsAll = ({ values }: SourceRecord, stored: Values): boolean =>
  Object.entries(stored).every(([field, value]) => String(values[field] ?? "") === String(value ?? ""));

/** The same for a creation that is repeated: its row is found again. */
const idFor = (idempotencyKey: string): string =>
  createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 16);

function change(planning: Planning, operation: Exclude<WriteOperation, { kind: "create" }>): WriteOutcome {
  const { records, id: idField, entity } = planning;
  const { id, expected } = operation;
  if (records.doubled.has(id))
    return expected
      ? { status: "conflict", record: unreadableRecord(id, entity) }
      : rejected("doubled_id", fill(words.doubledId, { id }), idField.apiName);
  const found = plannedOf(planning, id);
  if (!found) return { status: "missing" };
  const { record, cells } = found;
  if (expected && !holdsExpected(expected, comparableValues(record)))
    return { status: "conflict", record: copyOf(record) };
  if (operation.kind === "delete") {
    found.isRemoved = true;
    if (found.row) planning.removed.push(found.row);
    return { status: "done", id };
  }
  const { [idField.apiName]: given, ...values } = operation.values;
  if (given !== undefined && String(given) !== id) return rejected("id_stays", words.idStays, idField.apiName);
  const written = writtenCells(planning, values);
  if ("status" in written) return written;
  for (const [column, cell] of written.cells) cells.set(column, cell);
  record.values = { ...record.values, ...written.stored };
  record.badFields = record.badFields?.filter(({ field }) => !(field in written.stored)) ?? [];
  return { status: "done", id, values: { ...written.stored } };
}

const copyOf = (record: SourceRecord): SourceRecord => ({ ...record, values: { ...record.values } });

function writtenCells(
  { content, entity }: Planning,
  values: Values,
): { cells: Cells; stored: Values } | Extract<WriteOutcome, { status: "rejected" }> {
  const cells: Cells = new Map();
  const stored: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const field = entity.fields.find(({ apiName }) => apiName === name);
    const refuse = (code: string, message: string) => ({ status: "rejected", code, message, field: name }) as const;
    if (!field || field.calculated) return refuse("read_only", fill(words.noColumn, { column: name }));
    try {
      const cell = cellOf(field, value, content.timeZone);
      cells.set(columnNamed(content, name).index, cell);
      stored[name] = cell.stored;
    } catch (error) {
      if (!(error instanceof UnwritableValue)) throw error;
      return refuse("unfit", error.message);
    }
  }
  return { cells, stored };
}
