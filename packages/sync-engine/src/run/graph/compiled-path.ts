/** A path through the graph: the nodes between a source and the core, or the core and a destination, run over pages. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { Graph, GraphEdge } from "@accord/contracts/sync/graph";
import type { ActionCall } from "../../actions/call.ts";
import { takesEdge } from "../../functions/compile.ts";
import type { RunEnv } from "../../functions/run-env.ts";
import type { PageRequests } from "../../functions/define.ts";
import type { DataResult, DataRequest } from "../../functions/data-requests.ts";
import type { CompiledNode, Routes } from "../../functions/define.ts";
import { addWarning, type FlowRecord, forkRecord } from "../../functions/flow.ts";
import { loopRegions } from "../../graph/loops.ts";
import { forwardEdges } from "../../graph/walk.ts";
import { type LoopState, mergeLoopResult } from "./loop-results.ts";
import { addCount, leadsNowhere, type PathCounts } from "./path-counts.ts";
import { sanitizeResult } from "./sanitize-result.ts";

/**
 * A page on its path: at the end of it, or waiting for answers to go on. A path without nodes that ask never waits.
 * `deferredActions` are the things to do once the page is safe, for all records that came by an action on the way; `executedActions`
 * were done already, since a later node used their result.
 */
export type PathExecution =
  | {
      state: "completed";
      completed: FlowRecord[];
      deferredActions: ActionCall[];
      executedActions: ActionCall[];
      /** Absent for paths of field pipelines. */
      counts?: PathCounts;
    }
  | { state: "suspended"; dataRequests: readonly DataRequest[]; resume(answers: readonly DataResult[]): PathExecution };

/** The path of a page of records through nodes, compiled. Failed records arrive too, with their `failure`. */
export type CompiledPath = (page: FlowRecord[], env: RunEnv) => PathExecution;

/** Over one edge and nowhere else: what arrives is what set out. */
export const plainPath =
  (edgeId: string): CompiledPath =>
  (page) => ({
    state: "completed",
    completed: page,
    deferredActions: [],
    executedActions: [],
    counts: { passed: page.length > 0 ? { [edgeId]: page.length } : {}, ended: {} },
  });

/**
 * The path from one node to another (null: to wherever its nodes end) through `nodeIds`, depth first along the edges. A
 * node that several edges lead to runs once for each copy that arrives. `compiled` answers null for nodes that records
 * pass through unchanged.
 */
export function compilePath(
  graph: Graph,
  ends: { from: string; to: string | null },
  nodeIds: ReadonlySet<string>,
  compiled: (nodeId: string) => CompiledNode | null,
): { path: CompiledPath; isPlain: boolean; letsAllPass: boolean } {
  const { from, to } = ends;
  const all = forwardEdges(graph);
  const isOn = (nodeId: string): boolean => nodeId === to || nodeIds.has(nodeId);
  const out = new Map<string, GraphEdge[]>();
  for (const nodeId of [from, ...nodeIds]) {
    const edges = (all.get(nodeId) ?? []).filter((edge) => isOn(edge.destination.nodeId));
    out.set(nodeId, edges);
  }
  const [first, ...others] = out.get(from) ?? [];
  if (first && others.length === 0 && first.destination.nodeId === to)
    return { path: plainPath(first.id), isPlain: true, letsAllPass: true };
  const nodes = new Map([...nodeIds].map((nodeId) => [nodeId, compiled(nodeId)]));
  const loops = new Map(loopRegions(graph).map((loop) => [loop.startId, loop.endId]));
  const path: CompiledPath = (page, env) => {
    const left = { copies: MAX_COPIES * page.length, turns: MAX_TURNS * page.length };
    const context: ExecutionContext = {
      out,
      all,
      nodes,
      loops,
      to,
      env,
      left,
      counts: { passed: {}, ended: {} },
      completed: [],
      deferredActions: [],
      executedActions: [],
    };
    return resumePath(context, dispatchToEdges(context, from, page, "default"), []);
  };
  return { path, isPlain: false, letsAllPass: [...nodes.values()].every((node) => node === null) };
}

/**
 * For each record of a page: copies made where its path divides (a row of diamonds doubles them at each), and turns of
 * all loops together (a loop within a loop multiplies them).
 */
const MAX_COPIES = 1_000;
const MAX_TURNS = 100_000;

type PathGenerator = Generator<readonly DataRequest[], void, readonly DataResult[]>;

interface ExecutionContext {
  /** Edges of the path. */
  out: ReadonlyMap<string, readonly GraphEdge[]>;
  /** Edges of the graph: a record that leaves for another destination has not ended. */
  all: ReadonlyMap<string, readonly GraphEdge[]>;
  nodes: ReadonlyMap<string, CompiledNode | null>;
  /** End loop by loop start. */
  loops: ReadonlyMap<string, string>;
  to: string | null;
  env: RunEnv;
  /** What the page may still make; shared with the journeys inside of loops. */
  left: { copies: number; turns: number };
  counts: PathCounts;
  completed: FlowRecord[];
  deferredActions: ActionCall[];
  executedActions: ActionCall[];
}

function resumePath(
  context: ExecutionContext,
  generator: PathGenerator,
  answers: readonly DataResult[],
): PathExecution {
  const step = generator.next(answers);
  if (step.done) {
    const { completed, deferredActions, executedActions, counts } = context;
    return { state: "completed", completed, deferredActions, executedActions, counts };
  }
  return {
    state: "suspended",
    dataRequests: step.value,
    resume: (answered) => resumePath(context, generator, answered),
  };
}

function* executeNode(context: ExecutionContext, nodeId: string, page: readonly FlowRecord[]): PathGenerator {
  if (page.length === 0) return;
  if (nodeId === context.to) {
    for (const record of page) context.completed.push(record);
    return;
  }
  const node = context.nodes.get(nodeId) ?? null;
  const endId = context.loops.get(nodeId);
  if (node?.loopStart && endId !== undefined) {
    yield* executeLoop(context, { startId: nodeId, start: node.loopStart, endId }, page);
    return;
  }
  const env = node?.requests ? yield* answered(context, node.requests, page) : context.env;
  const routes = node ? node(page, env) : "default";
  if (node?.deferredActions)
    for (const call of node.deferredActions(page, env)) if (call) context.deferredActions.push(call);
  yield* dispatchToEdges(context, nodeId, page, routes);
}

/** Asks once for each different question of the page. */
function* answered(
  { env, executedActions }: ExecutionContext,
  requests: PageRequests,
  page: readonly FlowRecord[],
): Generator<readonly DataRequest[], RunEnv, readonly DataResult[]> {
  const asked = requests(page, env);
  const numbers = new Map<string, number>();
  const dataRequests: DataRequest[] = [];
  const places = asked.map((list) =>
    list.map((dataRequest) => {
      const text = JSON.stringify(dataRequest);
      let number = numbers.get(text);
      if (number === undefined) {
        number = dataRequests.push(dataRequest) - 1;
        numbers.set(text, number);
        if (dataRequest.kind === "action" && !dataRequest.later) executedActions.push(dataRequest.call);
      }
      return number;
    }),
  );
  const answers = dataRequests.length > 0 ? (yield dataRequests).map(sanitizeResult) : [];
  return { ...env, answers: places.map((list) => list.map((number) => answers[number] ?? NOT_RESOLVED)) };
}

const NOT_RESOLVED: DataResult = { ok: false, code: "not_answered", message: runTexts.notAnswered };

/** Sends each record along the edges it takes; copies are made before the first of them goes on. */
function* dispatchToEdges(
  context: ExecutionContext,
  nodeId: string,
  page: readonly FlowRecord[],
  routes: Routes,
): PathGenerator {
  const edges = context.out.get(nodeId) ?? [];
  const [only] = edges;
  if (edges.length === 1 && only && routes === "default" && !page.some(hasFailed)) {
    addCount(context.counts.passed, only.id, page.length);
    yield* executeNode(context, only.destination.nodeId, page);
    return;
  }
  const ways = edges.map((edge) => ({ edge, load: noRecords() }));
  let ended = 0;
  page.forEach((record, index) => {
    if (record.failure) {
      context.completed.push(record);
      return;
    }
    const route = routes === "default" ? null : (routes[index] ?? null);
    if (routes !== "default" && route === null) {
      ended += 1;
      return;
    }
    let isTaken = false;
    for (const { edge, load } of ways) {
      if (route !== null && !takesEdge(route, edge.edgeType)) continue;
      if (isTaken && context.left.copies-- <= 0) {
        record.failure = { nodeId, code: "too_many_copies", message: TOO_MANY_COPIES };
        return;
      }
      load.push(isTaken ? forkRecord(record) : record);
      isTaken = true;
    }
    if (!isTaken && leadsNowhere(context.all.get(nodeId), route)) ended += 1;
  });
  addCount(context.counts.ended, nodeId, ended);
  for (const { edge, load } of ways) addCount(context.counts.passed, edge.id, load.length);
  for (const { edge, load } of ways) yield* executeNode(context, edge.destination.nodeId, load);
}

const TOO_MANY_COPIES = fill(runTexts.tooManyCopies, { limit: MAX_COPIES });
const TOO_MANY_TURNS = fill(runTexts.tooManyTurns, { limit: MAX_TURNS });

const noRecords = (): FlowRecord[] => [];
const hasFailed = ({ failure }: FlowRecord): boolean => failure !== null;

interface Loop {
  startId: string;
  start: NonNullable<CompiledNode["loopStart"]>;
  endId: string;
}

/**
 * A loop: all records of the page go through its body together, item by item, so that the body too runs over pages. A
 * path that ends inside the body ends this turn alone. What the body did to a record is there in the next turn.
 */
function* executeLoop(
  context: ExecutionContext,
  { startId, start, endId }: Loop,
  page: readonly FlowRecord[],
): PathGenerator {
  const end = context.nodes.get(endId)?.loopEnd ?? null;
  const rounds = page.map((record): LoopState => {
    const items = start.items(record, context.env);
    return { record, rowIndex: record.rowIndex, items, collected: [] };
  });
  for (let turn = 0; ; turn += 1) {
    const active = rounds.filter(({ record, items }) => !record.failure && turn < items.length);
    if (active.length === 0) break;
    context.left.turns -= active.length;
    if (context.left.turns < 0) {
      for (const { record } of active)
        record.failure = { nodeId: startId, code: "too_many_turns", message: TOO_MANY_TURNS };
      break;
    }
    const env = { ...context.env, turn: `${context.env.turn ?? ""}.${turn}` };
    const inside: ExecutionContext = { ...context, to: endId, env, completed: [] };
    for (const [rowIndex, loopState] of rounds.entries()) {
      if (loopState.record.failure || turn >= loopState.items.length) continue;
      loopState.record.rowIndex = rowIndex;
      start.begin(loopState.record, loopState.items[turn] ?? null);
    }
    yield* dispatchToEdges(
      inside,
      startId,
      active.map(({ record }) => record),
      "default",
    );
    const done = new Set<number>();
    for (const copy of inside.completed) {
      const loopState = rounds[copy.rowIndex];
      if (!loopState) continue;
      mergeLoopResult(loopState.record, copy, done.has(copy.rowIndex));
      done.add(copy.rowIndex);
      const { failure } = copy;
      if (failure) {
        loopState.record.failure = end?.stopOnError === false ? null : failure;
        if (!loopState.record.failure) addWarning(loopState.record, failure);
      } else if (end) loopState.collected.push(end.collect(copy, env));
    }
  }
  for (const { record, rowIndex, collected } of rounds) {
    record.rowIndex = rowIndex;
    if (!record.failure) end?.finish(record, collected);
  }
  yield* dispatchToEdges(
    context,
    endId,
    rounds.map(({ record }) => record),
    "default",
  );
}
