/** Runs a pipeline without writing anything: the same core as a cycle, with storage that reads and only pretends to write. */
import type { ReadPage, SourceRecord, WriteOperation } from "@accord/connector-sdk";
import {
  advance,
  beginRun,
  type ClaimRequest,
  type Claimed,
  type CommitBatch,
  type CycleSummary,
  type Effect,
  type Input,
  type RunStart,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { matchPage } from "../worker/page-matches.ts";
import type { CompiledPipeline } from "../worker/plans.ts";
import { systemFailure } from "../worker/system-failure.ts";

type Of<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;

/** What a dry run reads of the world. Nothing in it may change anything. */
export interface DryPorts {
  read(effect: Of<"read">): Promise<ReadPage>;
  /** Records as they stand; those that are gone are answered as deleted. */
  getById(effect: Of<"getById">): Promise<SourceRecord[]>;
  claim(placeId: number, request: ClaimRequest): Promise<Claimed>;
  answer(effect: Of<"ask">): Promise<Extract<Input, { kind: "answered" }>["answers"]>;
  /** Is handed each batch as it comes; without it the outcome keeps them all. */
  commit?(batch: CommitBatch): Promise<void>;
}

/** What a dry run needs of a pipeline: its plan, and storage that only reads. */
export interface DryPipeline {
  plan: CompiledPipeline["plan"];
  storage: Pick<CompiledPipeline["storage"], "resolve" | "match" | "findHolders" | "findDuplicates">;
}

/** What would have been written. `batches`: those that no port was handed. */
export interface DryOutcome {
  summary: CycleSummary | null;
  batches: CommitBatch[];
  sent: { placeId: number; operations: readonly WriteOperation[] }[];
  settled: Of<"settle">[];
}

/** A source that holds one record, as it stands now. */
export const singleRecordSource = (record: SourceRecord): Pick<DryPorts, "read" | "getById"> => ({
  read: async () => ({ records: [record], cursor: null, drained: true, isCurrent: true }),
  getById: async ({ ids }) => ids.map((id) => (id === record.id ? record : { id, values: {}, deleted: true })),
});

export const NOTHING_CLAIMED: Claimed = { deliveries: [], references: new Map(), nextAt: null };

/** Ends when the run does, or after the page under way once `signal` is aborted. */
export async function dryRun(
  pipeline: DryPipeline,
  start: RunStart,
  ports: DryPorts,
  {
    deps,
    signal,
    random = Math.random,
  }: { deps: Pick<Deps, "clock" | "newId">; signal?: AbortSignal; random?: () => number },
): Promise<DryOutcome> {
  const { plan } = pipeline;
  const run = beginRun(plan, start);
  const outcome: DryOutcome = { summary: null, batches: [], sent: [], settled: [] };
  const env = () => ({ now: deps.clock.now().getTime(), newId: deps.newId, random });

  /** One after the other: a dry run is in no hurry to read ahead. */
  const waiting: Effect[] = advance(plan, run, { kind: "start" }, env()).effects;
  let isStopped = false;
  for (let effect = waiting.shift(); effect; effect = waiting.shift()) {
    if (effect.kind === "finish") {
      outcome.summary = effect.summary;
      break;
    }
    // A hint that only a cycle makes use of.
    if (effect.kind === "prepare") continue;
    const input = await pretend(effect, pipeline, ports, outcome).catch((error: unknown) => failed(effect, error));
    if (signal?.aborted && !isStopped) {
      isStopped = true;
      waiting.push(...advance(plan, run, { kind: "signal", signal: "cancelResync" }, env()).effects);
    }
    waiting.push(...advance(plan, run, input, env()).effects);
  }
  return outcome;
}

type AnsweredEffect = Exclude<Effect, { kind: "prepare" | "finish" }>;

/** Answers an effect without doing it; what it would have written goes into `outcome`. */
async function pretend(
  effect: AnsweredEffect,
  { storage }: DryPipeline,
  ports: DryPorts,
  outcome: DryOutcome,
): Promise<Input> {
  const at = "placeId" in effect ? effect.placeId : null;
  switch (effect.kind) {
    case "read":
      return { kind: "pageRead", nodeId: effect.nodeId, requestId: effect.requestId, page: await ports.read(effect) };
    case "resolve": {
      const resolved = await storage.resolve(effect.request);
      return { kind: "resolved", nodeId: effect.nodeId, requestId: effect.requestId, resolved };
    }
    case "getById":
      return { kind: "gotById", nodeId: effect.nodeId, records: await ports.getById(effect) };
    case "match": {
      // Nothing is asked for by its id: what would turn out to be gone is not known.
      const { withHolders: _, ...request } = effect.request;
      return matchPage({ ...effect, request }, storage);
    }
    case "commit":
      if (ports.commit) await ports.commit(effect.batch);
      else outcome.batches.push(effect.batch);
      return { kind: "committed", nodeId: effect.nodeId, answer: { status: "done", signal: "none" } };
    case "claim":
      return { kind: "claimed", placeId: effect.placeId, claimed: await ports.claim(effect.placeId, effect.request) };
    case "intend": {
      const standing = new Set(effect.intents.map(({ recordId }) => recordId));
      return { kind: "intended", placeId: effect.placeId, answer: { status: "done", standing, taken: new Set() } };
    }
    case "lookup":
      return { kind: "lookedUp", placeId: effect.placeId, records: [] };
    case "send":
      outcome.sent.push({ placeId: effect.placeId, operations: effect.operations });
      return {
        kind: "sent",
        placeId: effect.placeId,
        outcomes: effect.operations.map((operation) => ({
          status: "done",
          id: operation.kind === "create" ? "" : operation.id,
        })),
      };
    case "settle":
      outcome.settled.push(effect);
      return { kind: "settled", placeId: effect.placeId, answer: { status: "done", signal: "none" } };
    case "ask":
      return { kind: "answered", nodeId: effect.nodeId, placeId: at, answers: await ports.answer(effect) };
    default:
      return effect satisfies never;
  }
}

/** A system that fails does so as in a cycle; storage that fails ends the call. */
function failed(effect: AnsweredEffect, error: unknown): Input {
  if (effect.kind === "read")
    return { kind: "readFailed", nodeId: effect.nodeId, requestId: effect.requestId, failure: lasting(error) };
  if (effect.kind === "getById")
    return { kind: "requestFailed", nodeId: effect.nodeId, placeId: null, failure: lasting(error) };
  if (effect.kind === "ask") {
    return { kind: "requestFailed", nodeId: effect.nodeId, placeId: effect.placeId, failure: lasting(error) };
  }
  throw error;
}

/** Nobody waits for a system to recover. */
const lasting = (error: unknown): ReturnType<typeof systemFailure> => ({ ...systemFailure(error), retryable: false });
