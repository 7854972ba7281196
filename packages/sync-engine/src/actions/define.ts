/** How an action is written: name, words, inputs, examples, and what it asks the world to do. */
import type { CompleteInput } from "@accord/contracts/config/inputs";
import type { Values } from "@accord/contracts/data/values";
import type { RunEnv } from "../functions/run-env.ts";
import type { InputIssue, NodeContext } from "../functions/define.ts";
import type { FlowRecord } from "../functions/flow.ts";
import type { PipelineScope } from "../graph/edit/clipboard.ts";
import type { ActionPayload } from "./call.ts";

/** Work for one record. Throws `ActionRefusal` when its inputs make no sense for this record. */
export type Prepare = (record: FlowRecord, env: RunEnv) => ActionPayload;

/** What a node does with the records beside its work; `stop` ends their path, `pass` means there is no work. */
export type ActionEffect = "work" | "stop" | "pass";

/** Runs as a test and is printed in the reference. */
export interface ActionExample {
  says: string;
  config: Record<string, unknown>;
  record: { values: Values; source?: Values };
  work?: ActionPayload;
  /** Code of the refusal. */
  fails?: string;
}

export interface ActionDefinition {
  name: string;
  label: string;
  /** One sentence: what it does. */
  summary: string;
  group: "message" | "request" | "external" | "core" | "flow";
  levels: readonly PipelineScope[];
  effect: ActionEffect;
  inputs: readonly CompleteInput[];
  check(configuration: Readonly<Record<string, unknown>>): InputIssue[];
  prepare(configuration: Readonly<Record<string, unknown>>, context: NodeContext): Prepare;
  examples: readonly ActionExample[];
}

/** This record can't be acted on; it goes on with a warning. */
export class ActionRefusal extends Error {
  override readonly name = "ActionRefusal";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
