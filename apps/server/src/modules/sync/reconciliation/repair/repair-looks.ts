/**
 * What a repair does before it acts: each difference of the report is looked at once more as its record stands now, since
 * the report may be days old, and so many deletions as a look for missing records would not believe are left alone.
 */
import { ConnectorError } from "@accord/connector-sdk";
import { SourceConfiguration } from "@accord/contracts/sync/graph";
import type { Clock } from "../../../../platform/clock.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { isTooManyMissing, type CompiledPipeline } from "../../runs/index.ts";
import type { EvidenceStore } from "../comparison/evidence.store.ts";
import type { DeletionScanner } from "../comparison/looks.ts";
import { isRepaired, isTakenAsDeleted } from "./repair.ts";
import type { StoredDifference } from "../report/differences.store.ts";
import { type FoundDifference, subjectKey } from "../comparison/subjects.ts";
import type { ComparedSystem } from "../comparison/systems.ts";
import type { SuspectRow, WorkKey, WorkStore } from "../comparison/work.store.ts";

/** Records looked at with one call. */
const AT_ONCE = 100;
/** A repair looks at records for so long; what is left then is for another one. */
const LOOKING_MS = 30_000;
/** Where single records can't be asked for, a report counts for so long, and as long as it is the newest one. */
export const REPORT_COUNTS_MS = 3_600_000;

export interface StillDifferent {
  /** With their reasons of now. */
  rows: StoredDifference[];
  /** No longer so. */
  changed: number;
  /** Could not be looked at: there was no time, or their system does not answer, or can't be asked. */
  unchecked: number;
  /** Missing records that are not taken as deleted, for there are so many. */
  withheld: number;
}

interface ScanContext {
  key: WorkKey;
  pipeline: CompiledPipeline;
  scanner: Pick<DeletionScanner, "connected" | "resolveAgain">;
  evidence: Pick<EvidenceStore, "databaseTime">;
  work: Pick<WorkStore, "countLinks">;
  clock: Clock;
  /** The report is the newest one and not old. */
  isCurrent: boolean;
  /** The rows themselves, or their reason, were chosen. */
  isExplicit: boolean;
}

export async function stillDifferent(
  parts: ScanContext,
  systems: readonly ComparedSystem[],
  rows: readonly StoredDifference[],
): Promise<StillDifferent> {
  const found: StillDifferent = { rows: [], changed: 0, unchecked: 0, withheld: 0 };
  const signal = AbortSignal.timeout(LOOKING_MS);
  const since = await parts.evidence.databaseTime();
  const left = rows.filter(({ reason, kind }) => !isRepaired(reason, parts.isExplicit) || kind === "doubled");
  for (const system of systems) {
    const suspected = rows.filter((row) => row.placeId === system.placeId && !left.includes(row));
    if (suspected.length === 0) continue;
    const looked = await lookAt(parts, system, suspected, { since, signal });
    found.changed += looked.changed;
    found.unchecked += looked.unchecked;
    const isHeld = await isTooMuchDeleted(parts, system, looked.rows);
    for (const row of looked.rows) {
      if (isHeld && isTakenAsDeleted(row, system)) found.withheld += 1;
      else found.rows.push(row);
    }
  }
  // Nothing is done about these: they only count as such.
  found.rows.push(...left);
  return found;
}

/** Whether more is missing there than the source's settings take for deletions. */
async function isTooMuchDeleted(
  { key, pipeline, work }: ScanContext,
  system: ComparedSystem,
  rows: readonly StoredDifference[],
): Promise<boolean> {
  const missing = rows.filter((row) => isTakenAsDeleted(row, system)).length;
  const node = pipeline.graph.nodes.find(({ id }) => id === system.source?.nodeId);
  if (missing === 0 || !node) return false;
  const { mostMissingPercent } = SourceConfiguration.parse(node.configuration);
  return isTooManyMissing({ missing, known: await work.countLinks(key, [system.placeId]) }, mostMissingPercent);
}

type Looked = Omit<StillDifferent, "withheld">;

async function lookAt(
  parts: ScanContext,
  system: ComparedSystem,
  rows: readonly StoredDifference[],
  { since, signal }: { since: string; signal: AbortSignal },
): Promise<Looked> {
  const asked = rows.filter(({ externalId }) => externalId === null || system.canGetById);
  const looked: Looked = { rows: [], changed: 0, unchecked: 0 };
  const unasked = rows.filter((row) => !asked.includes(row));
  if (parts.isCurrent) looked.rows.push(...unasked);
  else looked.unchecked += unasked.length;
  const subjects = Map.groupBy(asked, subjectKey);
  const keys = [...subjects.keys()];
  let done = 0;
  try {
    await parts.scanner.connected(system, signal, async (connection) => {
      for (; done < keys.length && !signal.aborted; done += AT_ONCE) {
        const batch = keys.slice(done, done + AT_ONCE).flatMap((key) => subjects.get(key) ?? []);
        const suspects = suspectsOf(batch);
        const verdict = await parts.scanner.resolveAgain(system, connection, suspects, { since, isLast: true });
        const now = batch.flatMap((row) => asItStands(row, verdict.differences));
        looked.rows.push(...now);
        looked.changed += batch.length - now.length;
      }
    });
  } catch (error) {
    const isExpected = error instanceof ConnectorError || error instanceof AppError || signal.aborted;
    if (!isExpected) throw error;
  }
  looked.unchecked += keys.slice(done).reduce((sum, key) => sum + (subjects.get(key)?.length ?? 0), 0);
  return looked;
}

function suspectsOf(rows: readonly StoredDifference[]): SuspectRow[] {
  const suspects = rows.map(({ externalId, recordId }) => ({
    externalId,
    recordId: externalId === null ? recordId : null,
    digest: "",
  }));
  return [...new Map(suspects.map((suspect) => [subjectKey(suspect), suspect])).values()];
}

/** The difference of the report with what it is now; none when it is no more, or of another record. */
function asItStands(row: StoredDifference, found: readonly FoundDifference[]): StoredDifference[] {
  const now = found.find(
    (one) =>
      subjectKey(one) === subjectKey(row) &&
      one.kind === row.kind &&
      one.recordId === row.recordId &&
      one.field === row.field &&
      one.connectorField === row.connectorField,
  );
  if (!now) return [];
  const { reason, signature, isUnread } = now;
  return [{ ...row, reason, signature, isUnread }];
}
