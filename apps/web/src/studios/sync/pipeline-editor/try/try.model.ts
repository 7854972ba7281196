/** What a record that is tried came to: whether a result still holds for the graph on screen, and what it says of each node. Pure. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { type Value, Values } from "@accord/contracts/data/values";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { RecordToTry, type TriedRecord } from "@accord/contracts/sync/tests/try-record";
import type { NodeTestData } from "@accord/contracts/sync/tests/pipeline-tests";
import { sameValue } from "@accord/expressions";
import { isCore } from "@accord/sync-engine/graph";
import { z } from "zod";
import { parseReply } from "../../../../app/exact-replies.ts";
import { saysSame } from "../same-node.ts";

/** The record that was chosen, and what it is called. */
export const ChosenRecord = z.strictObject({
  /** The source's node. */
  nodeId: z.string(),
  record: RecordToTry,
  name: z.string(),
});
export type ChosenRecord = z.output<typeof ChosenRecord>;

/** What the tab keeps: the record, and the node at which its run ends. */
export const KeptChoice = z.strictObject({ record: ChosenRecord, untilNodeId: z.string().nullable() });
export type KeptChoice = z.output<typeof KeptChoice>;

/** Whether a record takes the same way through both: places, groups and descriptions of nodes make no difference. */
export function runsAlike(a: Graph, b: Graph): boolean {
  if (a === b) return true;
  if (a.nodes.length !== b.nodes.length || !isSameList(a.edges, b.edges)) return false;
  const others = new Map(b.nodes.map((node) => [node.id, node]));
  return a.nodes.every((node) => saysSame(others.get(node.id), node));
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a === b || (a.length === b.length && a.every((item, index) => item === b[index]));

export type TryStatus = "passed" | "failed" | "skipped" | "not_reached" | "not_run";

/** Null of a node that the result knows nothing of. */
export function statusAt(result: TriedRecord, nodeId: string): TryStatus | null {
  if (result.notRun.includes(nodeId)) return "not_run";
  const destination = result.destinations.find((one) => one.nodeId === nodeId);
  if (destination) {
    if (destination.outcome === "failed") return "failed";
    const isReached = destination.outcome !== "filtered" && result.core.after !== null;
    return isReached ? "passed" : "not_reached";
  }
  const node = result.nodes.find((one) => one.nodeId === nodeId);
  if (!node) return null;
  // Where it gets no further than the core, destinations are not asked.
  return node.status === "success" ? "passed" : node.status;
}

export interface FieldRow {
  field: string;
  /** Undefined: the field is not there. */
  input: Value | undefined;
  output: Value | undefined;
  isChanged: boolean;
}

/** Changed fields first; each in the order in which the record has them. */
export function fieldRows(input: Values, output: Values): FieldRow[] {
  const rows = [...new Set([...Object.keys(input), ...Object.keys(output)])].map((field): FieldRow => {
    const [before, after] = [input[field], output[field]];
    return { field, input: before, output: after, isChanged: !isSame(before, after) };
  });
  return [...rows.filter(({ isChanged }) => isChanged), ...rows.filter(({ isChanged }) => !isChanged)];
}

const isSame = (a: Value | undefined, b: Value | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameValue(a, b);

/** What is shown of one node for one pass of the record. */
export interface NodePass {
  input: Values;
  output: Values;
  /** Undefined where the node has no ways out; null: its path ends there. */
  route: string | null | undefined;
  message: string | null;
  notes: readonly string[];
  /** What an action or a request would have done. */
  skipped: readonly string[];
}

const passOf = ({ input, output, route, message, warnings, skipped }: NodeTestData): NodePass => ({
  input,
  output,
  route,
  message,
  notes: warnings,
  skipped: skipped.map((one) => one.message),
});

/** One for each time the record came by; none where it did not. */
export function passesAt(result: TriedRecord, node: GraphNode): NodePass[] {
  const { id } = node;
  const nothing = { route: undefined, message: null, notes: [], skipped: [] };
  if (result.notRun.includes(id)) return [];
  if (isCore(node)) {
    const { after, before, message } = result.core;
    return after || message ? [{ ...nothing, input: before ?? {}, output: after ?? {}, message }] : [];
  }
  const destination = result.destinations.find(({ nodeId }) => nodeId === id);
  if (destination) {
    const { values, message, outcome } = destination;
    const isFailed = outcome === "failed";
    return [
      {
        ...nothing,
        input: result.core.after ?? {},
        output: values ?? {},
        message: isFailed ? message : null,
        notes: isFailed ? [] : [message],
      },
    ];
  }
  return (result.nodes.find(({ nodeId }) => nodeId === id)?.testData ?? []).map(passOf);
}

/** Why a pasted record can't be used: `reason` as the parser or the schema puts it. */
export type PasteProblem =
  | { kind: "notJson"; reason: string }
  | { kind: "notObject" }
  | { kind: "badValue"; field: string; reason: string };

/** Numbers keep their digits. */
export function readPasted(text: string): { values: Values } | { problem: PasteProblem } {
  let json: unknown;
  try {
    json = parseReply(text);
  } catch (error) {
    return { problem: { kind: "notJson", reason: error instanceof Error ? error.message : String(error) } };
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) return { problem: { kind: "notObject" } };
  const parsed = Values.safeParse(json);
  if (parsed.success) return { values: parsed.data };
  const [issue] = parsed.error.issues;
  const [field = ""] = issue?.path ?? [];
  return { problem: { kind: "badValue", field: String(field), reason: issue?.message ?? "" } };
}

/** A record's values for editing: without secrets, which are not known, and without what is empty. */
export const editable = (values: Values): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== PASSWORD_MASK)), null, 2);
