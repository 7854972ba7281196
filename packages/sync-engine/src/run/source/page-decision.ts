/** What is decided on a page of a source: by what is known before it, and up to which position. */
import type { ReadPage } from "@accord/connector-sdk";
import type { RunEnv } from "../../functions/run-env.ts";
import type { Position } from "../protocol/storage.ts";
import type { LostFields } from "../protocol/stored.ts";
import type { DecidedPage, Slot } from "../run.ts";
import { lastLoss, lostByPage } from "../state/fields/dropped-fields.ts";
import { decide } from "./batch-builder.ts";
import type { Found } from "./decision.ts";
import { type FingerprintedPage, fingerprintPage } from "./page/fingerprint-page.ts";
import type { ProcessedPage } from "./page/process-page.ts";
import type { SourceStep } from "./source-reading.ts";

export const runEnv = ({ env, state }: SourceStep): RunEnv => ({
  now: env.now,
  random: env.random,
  isResync: state.mode === "all",
});

/** Fields that the source's place has lost so far. */
export const lostAt = ({ run, source }: SourceStep): LostFields => run.lostFields[source.place.id] ?? NOTHING_LOST;
const NOTHING_LOST: LostFields = {};
/** Likewise once a page is read. */
export const lostWith = (step: SourceStep, page: ReadPage | null | undefined): LostFields =>
  page ? lostByPage(step.source, lostAt(step), page) : lostAt(step);

export const fingerprinted = (step: SourceStep, page: ReadPage, { isReplay, askedAt }: Slot): FingerprintedPage =>
  fingerprintPage(step.source, page, { isReplay, askedAt, loss: lastLoss(lostWith(step, page)) });

/** Where reading goes on after a page, if that is news. */
export function positionAfter(step: SourceStep, slot: Slot | undefined): Position | null {
  const { state, source, run } = step;
  if (!slot?.page || slot.isReplay || slot.part === "first") return null;
  const isComplete = slot.page.drained || source.readMode === "single";
  return {
    nodeId: source.nodeId,
    cursor: slot.page.cursor,
    ...(state.mode === "all" ? { of: "resync", resyncId: run.resync?.resyncId } : { of: "changes" }),
    isComplete,
    ...knownAfter(step, slot.page),
  };
}

/** The last page of a reading of changes brought what was done before that began, as far as the system showed it. */
function knownAfter({ state, source }: SourceStep, { drained, isPutOff }: ReadPage): Pick<Position, "knownUntil"> {
  const isWhole = drained && !isPutOff && source.readMode === "drain" && state.mode === "changes";
  if (!isWhole || !state.begunAt) return {};
  return { knownUntil: new Date(state.begunAt - source.readDelayMs).toISOString() };
}

export function decideNow(
  step: SourceStep,
  processed: ProcessedPage,
  found: Found,
  position: Position | null,
): DecidedPage {
  const { plan, source, state, env, run } = step;
  const decision = decide(plan, source, processed, found, position, {
    now: new Date(env.now).toISOString(),
    newId: env.newId,
    reapply: state.mode === "all",
    following: {
      since: run.followedSince[source.nodeId] ?? null,
      joinedAfter: run.joinedAfter[source.nodeId] ?? null,
      isReadWhole: source.letsAllPass && run.readWhole.includes(source.nodeId),
      isOfAll: !processed.seen.isReplay && (state.mode === "all" || (run.reached[source.nodeId] ?? null) === null),
      isFirstLoad: run.resync !== null || run.historyPlaces.length > 0 || run.unreadPlaces.length > 0,
    },
    knownUntil: run.knownUntil[source.nodeId] ?? null,
    run: runEnv(step),
  });
  const { seen, absorbed, filtered, warnings, pathCounts } = processed;
  return { processed: { seen, absorbed, filtered, warnings, pathCounts }, decision };
}

/** A source that gives one page a cycle has given it. */
export function isSinglePage({ source, state }: SourceStep): boolean {
  const [slot] = state.slots;
  return source.readMode === "single" && state.mode === "changes" && slot?.isReplay === false && slot.part !== "first";
}
