/**
 * Systems that can't say what was deleted are asked for all their ids now and then. What is linked but not there any
 * more is made sure of, and left to the next cycle, which takes it as deleted; so is what is there but not linked.
 */
import type { Connection, Cursor, IdPage } from "@accord/connector-sdk";
import type { Deps } from "../../../../platform/deps.ts";
import type { SealedValues } from "../../../../platform/secrets/sealed-values.ts";
import { takeTurns } from "../../../../platform/turns.ts";
import { DifferingRecords, takeChanged } from "./changed-records.ts";
import type { IdComparison, ScanKey, ScanProblem, DeletionDetectionStore } from "./deletion-detection.store.ts";
import { placeSeals } from "../secrets/pipeline-secrets.ts";
import type { RunsDependencies } from "../worker/plans.ts";
import type { RunsStore } from "../monitoring/runs.store.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";
import { takeUnlinked } from "./unlinked-records.ts";
import { type LookedAt, dueScans } from "./deletion-scans.ts";

/** A look takes at most a hundredth of the time, and is not made more often than this. */
const SHARE = 100;
const MIN_SECONDS = 300;
/** Where the system tells deletions as they happen, a look only finds what it was kept from telling. */
const TOLD_SECONDS = 24 * 3600;
/** A look that was asked for before its place was listed is tried again after this. */
const UNKNOWN_SECONDS = 15;
/** Looks at once in one process, each of another instance. */
export const MAX_SCANS = 3;
/** A look may take this long before it makes room for other instances that wait. */
const SLICE_MS = 30 * 60_000;
/** Records asked for by id at once, to make sure. */
const MADE_SURE_AT_ONCE = 200;
/** Lists that a record must be missing from besides the first, where it can't be asked for. */
const MORE_LISTS = 2;
/** So few may always be missing, whatever their share. */
const FEW = 10;

interface ScanContext {
  deps: Pick<Deps, "clock" | "log" | "newId" | "secrets">;
  needs: Pick<RunsDependencies, "connectors" | "pipelines" | "schema">;
  schedule: Pick<ScheduleStore, "listAll" | "requestCycle">;
  store: Pick<RunsStore, "places">;
  missing: DeletionDetectionStore;
}

const failedOf =
  ({ deps }: ScanContext) =>
  (error: unknown): void =>
    deps.log.warn({ err: error }, "looking for missing records failed");

/** Looks for new places, and takes due ones, every so many milliseconds. */
export function detectDeletions(parts: ScanContext, everyMs: number): () => Promise<void> {
  const looks = new DeletionScans(parts);
  const stop = takeTurns(everyMs, (stopping) => looks.takeTurn(stopping), failedOf(parts));
  return async () => {
    await stop();
    await looks.ended();
  };
}

/** Looks at every place that is due. */
export async function takeTurn(parts: ScanContext, signal: AbortSignal): Promise<void> {
  const looks = new DeletionScans(parts);
  await looks.takeTurn(signal);
  await looks.ended();
}

interface Look {
  beganAt: number;
  /** Ends it before its time. */
  slice: AbortController;
  done: Promise<void>;
}

/** Looks under way in this process: one of an instance at a time, so that a slow system leaves the others alone. */
export class DeletionScans {
  readonly #parts: ScanContext;
  readonly #under = new Map<string, Look>();
  #wanted: readonly LookedAt[] = [];

  constructor(parts: ScanContext) {
    this.#parts = parts;
  }

  /** Begins what is due while there is room; what is due afterwards follows on those that end. */
  async takeTurn(stopping: AbortSignal): Promise<void> {
    this.#wanted = await dueScans(this.#parts);
    const planned = this.#wanted.map((place) => {
      const mostSeconds = ownSeconds(place);
      return { ...place, mostSeconds, firstSeconds: Math.min(mostSeconds ?? MIN_SECONDS, MIN_SECONDS) };
    });
    await this.#parts.missing.keepOnly(planned);
    await this.#begin(stopping);
    await this.#makeRoom();
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    while (this.#under.size > 0) await Promise.all([...this.#under.values()].map(({ done }) => done));
  }

  async #begin(stopping: AbortSignal): Promise<void> {
    const { missing, deps } = this.#parts;
    const failed = failedOf(this.#parts);
    while (!stopping.aborted && this.#under.size < MAX_SCANS) {
      const key = await missing.take([...this.#under.keys()]);
      if (!key) return;
      const slice = new AbortController();
      const beganAt = deps.clock.monotonicMs();
      const done = this.#look(key, AbortSignal.any([stopping, slice.signal]))
        .catch(failed)
        .then(() => void this.#under.delete(key.instanceId))
        .then(() => this.#begin(stopping))
        .catch(failed);
      this.#under.set(key.instanceId, { beganAt, slice, done });
    }
  }

  async #look(key: ScanKey, signal: AbortSignal): Promise<void> {
    const { instanceId, pipelineId, placeId } = key;
    const place = this.#wanted.find(
      (one) => one.instanceId === instanceId && one.pipelineId === pipelineId && one.placeId === placeId,
    );
    if (place) await lookAt(this.#parts, place, signal);
    // Asked for since the places were listed: the next turn knows it, or forgets it.
    else await this.#parts.missing.abortCycle(key, UNKNOWN_SECONDS);
  }

  /** Where other instances wait, a look that has had its time makes room and comes back later. */
  async #makeRoom(): Promise<void> {
    if (this.#under.size < MAX_SCANS) return;
    const now = this.#parts.deps.clock.monotonicMs();
    const [longest] = [...this.#under.values()].sort((left, right) => left.beganAt - right.beganAt);
    if (!longest || now - longest.beganAt < SLICE_MS) return;
    if (await this.#parts.missing.isOneDue([...this.#under.keys()])) longest.slice.abort();
  }
}

/** How often people want it to be looked at. */
const ownSeconds = ({ everyMinutes }: LookedAt): number | null => (everyMinutes === null ? null : everyMinutes * 60);

async function lookAt(parts: ScanContext, place: LookedAt, signal: AbortSignal): Promise<void> {
  const { deps, missing, schedule } = parts;
  try {
    const { problem, seconds, listsDeletions } = await missing.compare(place, (ids) =>
      compareIds(parts, place, ids, signal),
    );
    const next = listsDeletions ? TOLD_SECONDS : Math.max(MIN_SECONDS, seconds * SHARE);
    await missing.end(place, ownSeconds(place) ?? next, problem);
    await schedule.requestCycle(place.instanceId, place.pipelineId);
  } catch (error) {
    // Reading the source tells people of a system that fails; here it only means to come back.
    if (!signal.aborted) deps.log.warn({ err: error, ...keyOf(place) }, "a look for missing records broke off");
    await missing.abortCycle(place, Math.min(ownSeconds(place) ?? MIN_SECONDS, MIN_SECONDS));
  }
}

const keyOf = ({ instanceId, pipelineId, connectorId }: LookedAt) => ({ instanceId, pipelineId, connectorId });

async function sealsAt({ deps, needs }: ScanContext, place: LookedAt): Promise<SealedValues> {
  const { instanceId, pipelineId } = place;
  const [version, entity] = await Promise.all([
    needs.pipelines.publishedVersion(instanceId, pipelineId),
    needs.schema.getEntity(instanceId, pipelineId),
  ]);
  return placeSeals(deps.secrets, instanceId, { version, entity, place });
}

/** Why nothing is done about what is missing (null when it was handed over, or nothing is), and how long listing took. */
async function compareIds(
  parts: ScanContext,
  place: LookedAt,
  ids: IdComparison,
  signal: AbortSignal,
): Promise<{ problem: ScanProblem | null; seconds: number; listsDeletions: boolean }> {
  const { deps, needs } = parts;
  const { monotonicMs } = deps.clock;
  const began = monotonicMs();
  const connection = await needs.connectors.openConnection(place.instanceId, place.connectorId, {
    signal,
    patience: { traffic: "resync", giveUp: signal, onWait: () => {} },
  });
  try {
    const differing = new DifferingRecords();
    await eachPage(connection, place, signal, async (page) => {
      await ids.saw(page.ids);
      await compareValues(place, page, differing, ids);
    });
    const missing = await ids.findMissing(monotonicMs() - began + place.delayMs);
    const problem = isTooManyMissing(missing, place.mostPercent) ? missing : null;
    if (missing.missing > 0 && !problem) {
      await makeSure(connection, place, ids, signal);
      await ids.handOver();
    }
    const { comparedFields } = place;
    if (comparedFields)
      await takeChanged({ connection, schema: place.schema, readFields: comparedFields, signal }, differing, ids);
    const seconds = (monotonicMs() - began) / 1000;
    const { schema, isAskedById } = place;
    if (place.isReadWhole)
      await takeUnlinked(
        { connection, schema, seals: await sealsAt(parts, place), isAskedById, signal, newId: deps.newId, monotonicMs },
        ids,
      );
    return { problem, seconds, listsDeletions: await listsDeletions(connection, place) };
  } finally {
    await connection.close();
  }
}

async function compareValues(
  { comparedFields }: LookedAt,
  { records = [] }: IdPage,
  differing: DifferingRecords,
  ids: IdComparison,
): Promise<void> {
  if (!comparedFields || records.length === 0) return;
  const known = await ids.readLast(records.map(({ id }) => id));
  for (const record of records) {
    const seen = known.get(record.id);
    if (seen !== undefined) differing.add(record, seen, comparedFields);
  }
}

async function listsDeletions(connection: Connection, { schema, reader }: LookedAt): Promise<boolean> {
  if (reader === null || !connection.changeDetection) return false;
  return (await connection.changeDetection({ entity: schema, reader })).method === "replication";
}

/** A system that suddenly lists next to nothing more likely lost its mind, or our permission, than its records. */
export function isTooManyMissing({ missing, known }: ScanProblem, mostPercent: number): boolean {
  if (mostPercent >= 100) return false;
  return missing === known ? known > 1 : missing > FEW && missing * 100 > known * mostPercent;
}

/**
 * Ids that a list skipped while its system was changing are found again: one by one, or by listing twice more, since two
 * lists may have skipped the same record.
 */
async function makeSure(
  connection: Connection,
  place: LookedAt,
  ids: IdComparison,
  signal: AbortSignal,
): Promise<void> {
  if (!place.isAskedById || !connection.getByIds) {
    for (let list = 0; list < MORE_LISTS; list += 1) {
      if ((await ids.missing("", 1)).length === 0) return;
      await eachPage(connection, place, signal, (page) => ids.found(page.ids));
    }
    return;
  }
  for (let after = ""; ;) {
    const batch = await ids.missing(after, MADE_SURE_AT_ONCE);
    const last = batch.at(-1);
    if (last === undefined) return;
    const there = await connection.getByIds({ entity: place.schema, fields: [], ids: batch });
    await ids.found(there.filter(({ deleted }) => !deleted).map(({ id }) => id));
    signal.throwIfAborted();
    after = last;
  }
}

async function eachPage(
  connection: Connection,
  { schema, pageSize, comparedFields }: LookedAt,
  signal: AbortSignal,
  take: (page: IdPage) => Promise<void>,
): Promise<void> {
  if (!connection.listIds) throw new Error(`${schema.displayName} can't list its ids after all`);
  for (let cursor: Cursor | null = null; ;) {
    const fields = comparedFields ? { fields: comparedFields } : {};
    const page: IdPage = await connection.listIds({ entity: schema, cursor, pageSize, signal, ...fields });
    await take(page);
    if (page.drained) return;
    signal.throwIfAborted();
    cursor = page.cursor;
  }
}
