/** A road through the graph: the nodes between a source and the core, or the core and a destination, run over pages. */
import type { Graph, GraphEdge } from "@accord/contracts/sync/graph";
import { isTooDeep, MAX_LEVELS, storable, storableText } from "@accord/expressions";
import type { ActionCall } from "../actions/call.ts";
import { takesEdge } from "../functions/compile.ts";
import type { RunEnv } from "../functions/run-env.ts";
import type { AskPage } from "../functions/define.ts";
import type { Answer, Question } from "../functions/questions.ts";
import type { CompiledNode, Routes } from "../functions/define.ts";
import { addWarning, type FlowRecord, forkRecord } from "../functions/flow.ts";
import { loopRegions } from "../graph/loops.ts";
import { forwardEdges } from "../graph/walk.ts";

/**
 * A page on its road: at the end of it, or waiting for answers to go on. A road without nodes that ask never waits.
 * `acts` are the things to do once the page is safe, for all records that came by an action on the way; `performed`
 * were done already, since a later node used their result.
 */
export type Trip =
  | { state: "arrived"; arrived: FlowRecord[]; acts: ActionCall[]; performed: ActionCall[] }
  | { state: "asking"; questions: readonly Question[]; resume(answers: readonly Answer[]): Trip };

/** The road of a page of records through nodes, compiled. Failed records arrive too, with their `failure`. */
export type Road = (page: FlowRecord[], env: RunEnv) => Trip;

/** Roads that lead nowhere else: what arrives is what set out. */
export const straightOn: Road = (page) => ({ state: "arrived", arrived: page, acts: [], performed: [] });

/**
 * The road from one node to another (null: to wherever its nodes end) through `nodeIds`, depth first along the edges. A
 * node that several edges lead to runs once for each copy that arrives. `compiled` answers null for nodes that records
 * pass through unchanged.
 */
export function makeRoad(
  graph: Graph,
  ends: { from: string; to: string | null },
  nodeIds: ReadonlySet<string>,
  compiled: (nodeId: string) => CompiledNode | null,
): { road: Road; isPlain: boolean } {
  const { from, to } = ends;
  const all = forwardEdges(graph);
  const isOn = (nodeId: string): boolean => nodeId === to || nodeIds.has(nodeId);
  const out = new Map<string, GraphEdge[]>();
  for (const nodeId of [from, ...nodeIds]) {
    const edges = (all.get(nodeId) ?? []).filter((edge) => isOn(edge.destination.nodeId));
    out.set(nodeId, edges);
  }
  const first = out.get(from) ?? [];
  if (first.length === 1 && first[0]?.destination.nodeId === to) return { road: straightOn, isPlain: true };
  const nodes = new Map([...nodeIds].map((nodeId) => [nodeId, compiled(nodeId)]));
  const loops = new Map(loopRegions(graph).map((loop) => [loop.startId, loop.endId]));
  const road: Road = (page, env) => {
    const left = { copies: MAX_COPIES * page.length, turns: MAX_TURNS * page.length };
    const journey: Journey = { out, nodes, loops, to, env, left, arrived: [], acts: [], performed: [] };
    return goOn(journey, leave(journey, from, page, "default"), []);
  };
  return { road, isPlain: false };
}

/**
 * For each record of a page: copies made where its road divides (a row of diamonds doubles them at each), and turns of
 * all loops together (a loop within a loop multiplies them).
 */
const MAX_COPIES = 1_000;
const MAX_TURNS = 100_000;

/** Two roads one behind the other. */
export function joinRoads(first: Road, second: Road): Road {
  const behind = (trip: Trip, env: RunEnv): Trip => {
    if (trip.state === "asking") return { ...trip, resume: (answers) => behind(trip.resume(answers), env) };
    const failed = trip.arrived.filter(({ failure }) => failure !== null);
    const sound = failed.length === 0 ? trip.arrived : trip.arrived.filter(({ failure }) => failure === null);
    return withBefore(second(sound, env), failed, trip);
  };
  return (page, env) => behind(first(page, env), env);
}

function withBefore(trip: Trip, failed: readonly FlowRecord[], before: Arrival): Trip {
  if (trip.state === "asking") {
    return { ...trip, resume: (answers) => withBefore(trip.resume(answers), failed, before) };
  }
  return {
    state: "arrived",
    arrived: [...trip.arrived, ...failed],
    acts: [...before.acts, ...trip.acts],
    performed: [...before.performed, ...trip.performed],
  };
}

type Arrival = Extract<Trip, { state: "arrived" }>;
type Travel = Generator<readonly Question[], void, readonly Answer[]>;

interface Journey {
  out: ReadonlyMap<string, readonly GraphEdge[]>;
  nodes: ReadonlyMap<string, CompiledNode | null>;
  /** End loop by loop start. */
  loops: ReadonlyMap<string, string>;
  to: string | null;
  env: RunEnv;
  /** What the page may still make; shared with the journeys inside of loops. */
  left: { copies: number; turns: number };
  arrived: FlowRecord[];
  acts: ActionCall[];
  performed: ActionCall[];
}

function goOn(journey: Journey, travel: Travel, answers: readonly Answer[]): Trip {
  const step = travel.next(answers);
  if (step.done) {
    const { arrived, acts, performed } = journey;
    return { state: "arrived", arrived, acts, performed };
  }
  return { state: "asking", questions: step.value, resume: (answered) => goOn(journey, travel, answered) };
}

function* visit(journey: Journey, nodeId: string, page: readonly FlowRecord[]): Travel {
  if (page.length === 0) return;
  if (nodeId === journey.to) {
    for (const record of page) journey.arrived.push(record);
    return;
  }
  const node = journey.nodes.get(nodeId) ?? null;
  const endId = journey.loops.get(nodeId);
  if (node?.loopStart && endId !== undefined) {
    yield* goRound(journey, { startId: nodeId, start: node.loopStart, endId }, page);
    return;
  }
  const env = node?.asks ? yield* answered(journey, node.asks, page) : journey.env;
  const routes = node ? node(page, env) : "default";
  if (node?.acts) for (const call of node.acts(page, env)) if (call) journey.acts.push(call);
  yield* leave(journey, nodeId, page, routes);
}

/** Asks once for each different question of the page. */
function* answered(
  { env, performed }: Journey,
  asks: AskPage,
  page: readonly FlowRecord[],
): Generator<readonly Question[], RunEnv, readonly Answer[]> {
  const asked = asks(page, env);
  const numbers = new Map<string, number>();
  const questions: Question[] = [];
  const places = asked.map((list) =>
    list.map((question) => {
      const text = JSON.stringify(question);
      let number = numbers.get(text);
      if (number === undefined) {
        number = questions.push(question) - 1;
        numbers.set(text, number);
        if (question.kind === "action" && !question.later) performed.push(question.call);
      }
      return number;
    }),
  );
  const answers = questions.length > 0 ? (yield questions).map(storableAnswer) : [];
  return { ...env, answers: places.map((list) => list.map((number) => answers[number] ?? NOT_ANSWERED)) };
}

const NOT_ANSWERED: Answer = { ok: false, code: "not_answered", message: "The question was not answered." };

const TOO_DEEP: Answer = {
  ok: false,
  code: "too_deep",
  message: `The answer nests deeper than ${MAX_LEVELS} levels.`,
};

/** What the world answers goes into records and calls: it must not hold what can't be stored either. */
function storableAnswer(answer: Answer): Answer {
  if (!answer.ok) return { ...answer, message: storableText(answer.message) };
  if (answer.found.some((values) => isTooDeep(values))) return TOO_DEEP;
  return { ok: true, found: answer.found.map((values) => storable(values)) };
}

/** Sends each record along the edges it takes; copies are made before the first of them goes on. */
function* leave(journey: Journey, nodeId: string, page: readonly FlowRecord[], routes: Routes): Travel {
  const edges = journey.out.get(nodeId) ?? [];
  const [only] = edges;
  if (edges.length === 1 && only && routes === "default" && !page.some(hasFailed)) {
    yield* visit(journey, only.destination.nodeId, page);
    return;
  }
  const ways = edges.map((edge) => ({ edge, load: noRecords() }));
  page.forEach((record, index) => {
    if (record.failure) {
      journey.arrived.push(record);
      return;
    }
    const route = routes === "default" ? null : (routes[index] ?? null);
    if (routes !== "default" && route === null) return;
    let isTaken = false;
    for (const { edge, load } of ways) {
      if (route !== null && !takesEdge(route, edge.edgeType)) continue;
      if (isTaken && journey.left.copies-- <= 0) {
        record.failure = { nodeId, code: "too_many_copies", message: TOO_MANY_COPIES };
        return;
      }
      load.push(isTaken ? forkRecord(record) : record);
      isTaken = true;
    }
  });
  for (const { edge, load } of ways) yield* visit(journey, edge.destination.nodeId, load);
}

const TOO_MANY_COPIES = `The record's way divides into more than ${MAX_COPIES} ways. Bring branches together sooner.`;
const TOO_MANY_TURNS = `The loops would take more than ${MAX_TURNS} turns for one record. Shorten their lists first.`;

const noRecords = (): FlowRecord[] => [];
const hasFailed = ({ failure }: FlowRecord): boolean => failure !== null;

interface Loop {
  startId: string;
  start: NonNullable<CompiledNode["loopStart"]>;
  endId: string;
}

/** A record in a loop: what is left to do and what was collected so far. */
interface Round {
  record: FlowRecord;
  lane: number;
  items: readonly Item[];
  collected: Item[];
}
type Item = (FlowRecord["results"][number] & {}) | null;

/**
 * A loop: all records of the page go through its body together, item by item, so that the body too runs over pages. A
 * path that ends inside the body ends this turn alone. What the body did to a record is there in the next turn.
 */
function* goRound(journey: Journey, { startId, start, endId }: Loop, page: readonly FlowRecord[]): Travel {
  const end = journey.nodes.get(endId)?.loopEnd ?? null;
  const rounds = page.map((record): Round => {
    const items = start.items(record, journey.env);
    return { record, lane: record.lane, items, collected: [] };
  });
  for (let turn = 0; ; turn += 1) {
    const riding = rounds.filter(({ record, items }) => !record.failure && turn < items.length);
    if (riding.length === 0) break;
    journey.left.turns -= riding.length;
    if (journey.left.turns < 0) {
      for (const { record } of riding)
        record.failure = { nodeId: startId, code: "too_many_turns", message: TOO_MANY_TURNS };
      break;
    }
    const env = { ...journey.env, turn: `${journey.env.turn ?? ""}.${turn}` };
    const inside: Journey = { ...journey, to: endId, env, arrived: [] };
    for (const [lane, round] of rounds.entries()) {
      if (round.record.failure || turn >= round.items.length) continue;
      round.record.lane = lane;
      start.begin(round.record, round.items[turn] ?? null);
    }
    yield* leave(
      inside,
      startId,
      riding.map(({ record }) => record),
      "default",
    );
    const done = new Set<number>();
    for (const copy of inside.arrived) {
      const round = rounds[copy.lane];
      if (!round) continue;
      takeBack(round.record, copy, done.has(copy.lane));
      done.add(copy.lane);
      const { failure } = copy;
      if (failure) {
        round.record.failure = end?.stopOnError === false ? null : failure;
        if (!round.record.failure) addWarning(round.record, failure);
      } else if (end) round.collected.push(end.collect(copy, env));
    }
  }
  for (const { record, lane, collected } of rounds) {
    record.lane = lane;
    if (!record.failure) end?.finish(record, collected);
  }
  yield* leave(
    journey,
    endId,
    rounds.map(({ record }) => record),
    "default",
  );
}

/** What a record became in the body; of several copies all changes count, the later ones first. */
function takeBack(record: FlowRecord, copy: FlowRecord, isFurther: boolean): void {
  if (copy === record) return;
  const { values, variables, attach, warnings } = record;
  const { results, previous, outcomes, snapshots, branches } = copy;
  Object.assign(record, { results, previous, outcomes, snapshots, branches });
  record.values = isFurther ? { ...values, ...copy.values } : copy.values;
  record.variables = isFurther ? { ...variables, ...copy.variables } : copy.variables;
  record.attach = isFurther ? [...attach, ...copy.attach.filter((one) => !attach.includes(one))] : copy.attach;
  record.warnings = isFurther
    ? [...warnings, ...copy.warnings.filter((one) => !warnings.includes(one))]
    : copy.warnings;
}
