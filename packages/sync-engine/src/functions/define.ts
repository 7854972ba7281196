/** How a function is written: name, words, inputs, examples and code in one file. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { type CompleteInput, InputDefinition } from "@accord/contracts/config/inputs";
import type { FUNCTION_FAMILIES } from "@accord/contracts/sync/palette";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import type { z } from "zod";
import type { ActionCall } from "../actions/call.ts";
import type { PipelineScope } from "../graph/edit/clipboard.ts";
import type { CompileContext } from "./context.ts";
import type { RunEnv } from "./run-env.ts";
import type { FlowRecord } from "./flow.ts";
import type { DataResult, DataRequest } from "./data-requests.ts";

export type Family = (typeof FUNCTION_FAMILIES)[number];

/**
 * Where each record of a page leaves its node: `default` for all of them, or per record the type of edge, null where
 * its path ends. Records with a `failure` leave nowhere.
 */
export type Routes = "default" | readonly (string | null)[];

/** For each record of a page its questions, in order; most often one or none. */
export type PageRequests = (page: readonly FlowRecord[], env: RunEnv) => readonly (readonly DataRequest[])[];

/**
 * A node made ready to run over pages. One that `requests` runs after its questions about this very page were answered:
 * `env.answers` holds them in the order of the page. Without answers its records fail.
 */
export interface CompiledNode {
  (page: readonly FlowRecord[], env: RunEnv): Routes;
  requests?: PageRequests;
  /** What is to be done for each record once the page is safe; null for nothing. */
  deferredActions?: (page: readonly FlowRecord[], env: RunEnv) => readonly (ActionCall | null)[];
  loopStart?: LoopStart;
  loopEnd?: LoopEnd;
}

/** The beginning of a loop: its body runs once for each item of a record's list. */
export interface LoopStart {
  /** Sets the record's failure when there are too many. */
  items(record: FlowRecord, env: RunEnv): readonly Value[];
  /** Before a turn. */
  begin(record: FlowRecord, item: Value): void;
}

export interface LoopEnd {
  /** false: an item that fails is a warning, the loop goes on. */
  stopOnError: boolean;
  /** What a turn leaves. */
  collect(record: FlowRecord, env: RunEnv): Value;
  /** After the last turn. */
  finish(record: FlowRecord, collected: Value[]): void;
}

export interface NodeContext extends CompileContext {
  nodeId: string;
  slot: number;
}

/** One wrong input and why, in words that say what to do. */
export interface InputIssue {
  input: string;
  reason: string;
}

/** Runs as a test and is printed in the reference. `in` is the value, or the record for functions that work on records. */
export interface FunctionExample {
  says: string;
  config: Record<string, unknown>;
  in?: Value;
  record?: { values: Values; before?: Values; change?: FlowRecord["change"]; source?: Values };
  /** What it asks about the record, and what it is answered. */
  requests?: readonly DataRequest[];
  answers?: readonly DataResult[];
  /** The result of a value function. */
  out?: Value;
  /** The edge a record leaves by; null where its path ends. */
  route?: string | null;
  values?: Values;
  variables?: Values;
  /** Code of the failure, of the warning when the record goes on. */
  fails?: string;
  warns?: string;
}

/** What the registry, the palette, validation and the engine use. */
export interface FunctionDefinition {
  name: string;
  label: string;
  family: Family;
  /** One sentence: what it does. */
  summary: string;
  levels: readonly PipelineScope[];
  sourceSideOnly: boolean;
  inputs: readonly CompleteInput[];
  /** Ways out of the node; null when any edge type is fine. */
  edgeTypes: readonly string[] | null;
  /** Data type of the result; null when it leaves none. */
  output: string | null;
  /** Empty when the configuration can be compiled. */
  check(configuration: Readonly<Record<string, unknown>>, fields: readonly FieldSchema[]): InputIssue[];
  /** Throws `CompileError`; a configuration that `check` accepts compiles. */
  compile(configuration: Readonly<Record<string, unknown>>, context: NodeContext): CompiledNode;
  examples: readonly FunctionExample[];
}

/** A node that can't be made ready: publishing refuses such graphs before. */
export class CompileError extends Error {
  override readonly name = "CompileError";
  readonly nodeId: string;
  readonly faults: readonly InputIssue[];
  constructor(nodeId: string, faults: readonly InputIssue[]) {
    super(faults.map((fault) => `${fault.input}: ${fault.reason}`).join("; "));
    this.nodeId = nodeId;
    this.faults = faults;
  }
}

/** Thrown by a function for one value or record: that record alone fails. */
export class FunctionFailure extends Error {
  override readonly name = "FunctionFailure";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** An input with defaults filled in. */
export const input = (definition: InputDefinition): CompleteInput => InputDefinition.parse(definition);

/** Faults of a configuration against its schema; inputs that hold tokens are checked when a record fills them. */
export function schemaIssues(
  schema: z.ZodType,
  configuration: Readonly<Record<string, unknown>>,
  isToken: (input: string) => boolean,
): InputIssue[] {
  const parsed = schema.safeParse(configuration, { error: reasonOf });
  if (parsed.success) return [];
  const faults = parsed.error.issues
    .map((issue) => ({ input: String(issue.path[0] ?? ""), reason: sentence(issue.message) }))
    .filter((fault) => !isToken(fault.input));
  // Several rows may have the same fault.
  return [...new Map(faults.map((fault) => [`${fault.input} ${fault.reason}`, fault])).values()];
}

/** Words for faults of which a schema says nothing itself. */
const reasonOf: z.core.$ZodErrorMap = (issue) => {
  const isInRow = (issue.path?.length ?? 0) > 1;
  if (isInRow && isNothing(issue.input)) return nodeSettings.fillRows;
  switch (issue.code) {
    case "invalid_type":
      return TYPE_REASONS.get(issue.expected) ?? nodeSettings.unusable;
    case "invalid_value":
      return nodeSettings.oneOfOptions;
    case "too_small":
      return fill(nodeSettings.least[measured(issue.origin)], { bound: issue.minimum });
    case "too_big":
      return fill(nodeSettings.most[measured(issue.origin)], { bound: issue.maximum });
    default:
      return nodeSettings.unusable;
  }
};

const isNothing = (held: unknown): boolean => held === undefined || held === null || held === "";
const TYPE_REASONS: ReadonlyMap<string, string> = new Map([
  ["string", nodeSettings.text],
  ["number", nodeSettings.number],
  ["int", nodeSettings.wholeNumber],
  ["boolean", nodeSettings.onOrOff],
  ["array", nodeSettings.atLeastOneRow],
]);

function measured(origin: string): keyof typeof nodeSettings.least {
  if (origin === "string") return "characters";
  return origin === "array" ? "rows" : "number";
}

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);
