/**
 * The engine's one function: what happened goes in, what to do comes out. Pure: clock, ids and chance come with the
 * input, the world answers effects with further inputs. The run belongs to its driver and is changed in place.
 */
import { stepSink } from "./sink/sink-machine.ts";
import { stopReading, newSourceRun, reopenSources, replaySlot } from "./source/source-reading.ts";
import { stepSource } from "./source/source-machine.ts";
import type { Plan } from "./plan/plan.ts";
import { vanishedFields } from "./state/fields/missing-fields.ts";
import { isLeftAlone, recordWarnings } from "./protocol/problems.ts";
import type { CycleSummary, Effect, Input, RunStart } from "./protocol/protocol.ts";
import { newRun, type Run, type SourceRun, type Step, type StepContext } from "./run.ts";

/** A run as it begins: which sources have their turn, or the resync that has precedence over them. */
export function beginRun(plan: Plan, start: RunStart): Run {
  const { resync } = start;
  const sources = plan.sources.flatMap((source): SourceRun[] => {
    const at = start.sources.find(({ nodeId }) => nodeId === source.nodeId);
    const isChosen = resync
      ? resync.nodeIds.includes(source.nodeId) && !resync.finished.includes(source.nodeId)
      : at?.due === true;
    if (!isChosen) return [];
    const since = resync ? resync.since : (at?.since ?? null);
    const cursor = resync ? (resync.cursors[source.nodeId] ?? null) : (at?.cursor ?? null);
    const replay = resync ? [] : (at?.replay ?? []);
    const slots = replay.length > 0 ? [replaySlot(replay, { askedAt: at?.replayReadAt ?? 0 })] : [];
    const position = { mode: resync ? "all" : "changes", since, until: resync?.until ?? null, next: cursor } as const;
    const isBrokenOff = cursor !== null && at?.isComplete === false;
    return [{ ...newSourceRun(source, { ...position, slots }), begunAt: isBrokenOff ? 0 : null }];
  });
  const known = new Set(start.sources.filter(({ isComplete }) => isComplete).map(({ nodeId }) => nodeId));
  const unreadPlaces = plan.sources.filter(({ nodeId }) => !known.has(nodeId)).map(({ place }) => place.id);
  const awaiting = new Set(start.sources.filter(({ awaitsHistory }) => awaitsHistory).map(({ nodeId }) => nodeId));
  const historyPlaces = plan.sources.filter(({ nodeId }) => awaiting.has(nodeId)).map(({ place }) => place.id);
  const sinkPlaces = plan.sinks.map((sink) => sink.place.id);
  const lostFields: Run["lostFields"] = {};
  for (const { nodeId, place } of plan.sources) {
    const lost = start.sources.find((source) => source.nodeId === nodeId)?.lostFields;
    if (lost) lostFields[place.id] = lost;
  }
  const run = newRun(start, { sources, unreadPlaces, historyPlaces, sinkPlaces, lostFields });
  recordWarnings(run, plan.sources.flatMap(vanishedFields));
  return run;
}

/** Takes one input into the run and answers what to do next; after `finish` nothing more comes. */
export function advance(plan: Plan, run: Run, input: Input, env: StepContext): Step {
  if (run.finished) return { run, effects: [] };
  const effects: Effect[] = [];
  take(plan, run, input, env, effects);
  if (run.stopping === "lost") return abandon(run, effects);
  schedule(plan, run, env, effects);
  if (effects.length === 0 && isIdle(run)) {
    run.finished = true;
    effects.push({ kind: "finish", summary: summarise(run) });
  }
  return { run, effects };
}

function take(plan: Plan, run: Run, input: Input, env: StepContext, effects: Effect[]): void {
  switch (input.kind) {
    case "start":
      return;
    case "signal":
      if (input.signal !== "none") run.stopping ??= input.signal;
      return;
    case "sourcesDue":
      reopenSources(plan, run, input.nodeIds);
      return;
    case "leaseLost":
      run.stopping = "lost";
      return;
    case "pageRead":
    case "readFailed":
    case "resolved":
    case "gotById":
    case "matched":
    case "committed":
    case "unstorable":
      stepSource(plan, run, input, env, effects);
      return;
    case "claimed":
    case "intended":
    case "lookedUp":
    case "sent":
    case "sendFailed":
    case "settled":
      stepSink(plan, run, input, env, effects);
      return;
    case "answered":
    case "requestFailed":
      if (input.placeId === null) stepSource(plan, run, input, env, effects);
      else stepSink(plan, run, { ...input, placeId: input.placeId }, env, effects);
  }
}

/**
 * Begins what may begin. Sources take turns; a place that is also read is told only once it has been read, so that
 * people's changes there are known before ours go out. Nothing is ever read and written at one place at a time.
 */
function schedule(plan: Plan, run: Run, env: StepContext, effects: Effect[]): void {
  if (run.stopping) {
    for (const source of run.sources) stopReading(source);
    return;
  }
  for (const source of run.sources) {
    const isOfReads = run.failures[source.placeId]?.isOfWrites !== true;
    if (source.state !== "waiting" || !isOfReads || !isLeftAlone(run, source.placeId, env.now)) continue;
    // Records that a person wants tried again come with the next cycle once more.
    stopReading(source);
    source.state = "failed";
  }
  const active = run.sources.find((source) => source.state === "waiting" || source.state === "open");
  for (const sink of run.sinks) {
    const isYetToRead = run.sources.some(({ placeId, state }) => placeId === sink.placeId && state !== "done");
    // A resync reads old pages, not what people changed meanwhile: such places are told in the normal cycles between.
    const isHeld = run.resync !== null && plan.sources.some(({ place }) => place.id === sink.placeId);
    if (
      sink.state.stage === "waiting" &&
      sink.dirty &&
      !isYetToRead &&
      !isHeld &&
      !isLeftAlone(run, sink.placeId, env.now)
    ) {
      stepSink(plan, run, { kind: "claim", placeId: sink.placeId }, env, effects);
    }
  }
  if (!active) return;
  const sink = run.sinks.find((candidate) => candidate.placeId === active.placeId);
  const isBeingWritten = sink && !["waiting", "done", "failed"].includes(sink.state.stage);
  if (active.state === "waiting" && !isBeingWritten) active.state = "open";
  if (active.state === "open") stepSource(plan, run, { kind: "requestNextPages", nodeId: active.nodeId }, env, effects);
}

function isIdle(run: Run): boolean {
  const areSourcesIdle = run.sources.every(
    (source) =>
      source.work.stage === "idle" &&
      source.slots.length === 0 &&
      (run.stopping !== null || source.state === "done" || source.state === "failed"),
  );
  return (
    areSourcesIdle &&
    run.sinks.every(({ state: { stage } }) => stage === "waiting" || stage === "done" || stage === "failed")
  );
}

/** Another worker owns the pipeline: nothing may be written any more, not even a summary. */
function abandon(run: Run, effects: Effect[]): Step {
  run.finished = true;
  effects.length = 0;
  effects.push({ kind: "finish", summary: { ...summarise(run), outcome: "lost", positions: [] } });
  return { run, effects };
}

function summarise(run: Run): CycleSummary {
  const isResynced = run.resync !== null && run.resync.nodeIds.every((id) => run.resync?.finished.includes(id));
  return {
    outcome: outcomeOf(run),
    counts: run.counts,
    problems: run.problems,
    failures: run.failures,
    positions: run.sources.flatMap(({ uncommittedPosition }) => (uncommittedPosition ? [uncommittedPosition] : [])),
    resync: run.resync && { resyncId: run.resync.resyncId, done: isResynced, finished: run.resync.finished },
    nextAt: run.nextAt,
    readThrough: run.sources.flatMap(({ nodeId, readAt }) => (readAt === null ? [] : [nodeId])),
  };
}

function outcomeOf(run: Run): CycleSummary["outcome"] {
  if (run.stopping === "pause") return "paused";
  if (run.stopping === "cancelResync") return "cancelled";
  if (run.stopping === "lost") return "lost";
  return run.stopping === "tooManyFailures" || run.problems.some(({ severity }) => severity === "error")
    ? "failed"
    : "finished";
}
