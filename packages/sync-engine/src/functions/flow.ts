/** A record on its way through a pipeline, as functions see and change it. */
import type { Value, Values } from "@accord/contracts/data/values";

/** Worth telling, but the record goes on. */
export interface FlowWarning {
  nodeId: string;
  code: string;
  message: string;
}

/** The record can't go on: it is quarantined with this reason, the rest of its page is not touched. */
export interface FlowFailure {
  nodeId: string;
  code: string;
  message: string;
}

/** An attach rule that lies on the record's path, with the values it will look for. */
export interface AttachIntent {
  nodeId: string;
  keys: readonly Value[];
  /** The moment it was noted, UTC milliseconds. */
  now: number;
}

/**
 * One record in flight, in the core entity's terms on both sides. Its lists by slot are its own and filled in place;
 * its other arrays and objects are replaced, not changed: copies of a record share them.
 */
export interface FlowRecord {
  values: Values;
  /** As read from the source; null on the destination side. */
  readonly source: { externalId: string; values: Values } | null;
  /** The core record, where it is known already. */
  recordId: string | null;
  /** What it will be compared with: stored values (source side) or values last written there (destination side). */
  before: Values | null;
  change: "insert" | "update" | "delete";
  /** Temporary variables. */
  variables: Values;
  /** Results of value functions by slot. */
  results: (Value | undefined)[];
  /** Slot of the value function just before; -1 when there was none. */
  previous: number;
  /** Whether the action of a slot succeeded; undefined where it did not run. */
  outcomes: (boolean | undefined)[];
  /** The record's values as they left a node, by slot: kept only for nodes whose label a token names. */
  snapshots: (Values | undefined)[];
  /** Name of the case that held, by slot of its Switch. */
  branches: (string | undefined)[];
  attach: readonly AttachIntent[];
  /** What makes this coming of the record different from its others: its actions are done once for it. */
  readonly occurrenceKey: string;
  /** Which record of the page that set out this is (a copy of); inside a loop, of the loop's page. */
  rowIndex: number;
  warnings: readonly FlowWarning[];
  failure: FlowFailure | null;
}

/** What a list is before its first entry: shared by all records, and never written to. */
const NONE: never[] = [];
Object.freeze(NONE);
const NO_VALUES: Values = Object.freeze(Object.create(null) as Values);

/** A record as it leaves its source (or the core, on the destination side). */
export function newFlowRecord(start: {
  values: Values;
  source?: FlowRecord["source"];
  recordId?: string | null;
  before?: Values | null;
  change?: FlowRecord["change"];
  occurrenceKey?: string;
  rowIndex?: number;
}): FlowRecord {
  const before = start.before ?? null;
  return {
    values: start.values,
    source: start.source ?? null,
    recordId: start.recordId ?? null,
    before,
    change: start.change ?? (before ? "update" : "insert"),
    variables: NO_VALUES,
    results: NONE,
    previous: -1,
    outcomes: NONE,
    snapshots: NONE,
    branches: NONE,
    attach: NONE,
    occurrenceKey: start.occurrenceKey ?? "",
    rowIndex: start.rowIndex ?? 0,
    warnings: NONE,
    failure: null,
  };
}

/** A copy for a second way out of a node. */
export const forkRecord = (record: FlowRecord): FlowRecord => ({
  ...record,
  results: own(record.results),
  outcomes: own(record.outcomes),
  snapshots: own(record.snapshots),
  branches: own(record.branches),
});

const own = <Item>(list: Item[]): Item[] => (list.length === 0 ? NONE : list.slice());

/** Answers the list with the entry: the same one but for the first. */
function put<Item>(list: (Item | undefined)[], index: number, item: Item): (Item | undefined)[] {
  const filled = list.length === 0 ? [] : list;
  // Filled up so that the array stays dense.
  while (filled.length < index) filled.push(undefined);
  filled[index] = item;
  return filled;
}

export function setResult(record: FlowRecord, slot: number, value: Value): void {
  record.results = put(record.results, slot, value);
  record.previous = slot;
}

/** Result of an action: it does not become the previous value. */
export function setActionResult(record: FlowRecord, slot: number, succeeded: boolean, body: Value): void {
  record.results = put(record.results, slot, body);
  record.outcomes = put(record.outcomes, slot, succeeded);
}

export function setSnapshot(record: FlowRecord, slot: number): void {
  record.snapshots = put(record.snapshots, slot, record.values);
}

export function setBranch(record: FlowRecord, slot: number, name: string): void {
  record.branches = put(record.branches, slot, name);
}

export function setField(record: FlowRecord, field: string, value: Value): void {
  record.values = { ...record.values, [field]: value };
}

/** Without the field: this path says nothing about it. */
export function dropField(record: FlowRecord, field: string): void {
  if (!Object.hasOwn(record.values, field)) return;
  record.values = { ...record.values };
  delete record.values[field];
}

export function setVariable(record: FlowRecord, name: string, value: Value): void {
  record.variables = { ...record.variables, [name]: value };
}

export function addWarning(record: FlowRecord, warning: FlowWarning): void {
  record.warnings = [...record.warnings, warning];
}

export function addAttach(record: FlowRecord, intent: AttachIntent): void {
  record.attach = [...record.attach, intent];
}
