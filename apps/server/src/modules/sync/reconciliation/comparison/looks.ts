/** Looks of a reconciliation: a batch compared as it stands, and suspected differences looked at again with what explains them. */
import type { Connection, SourceRecord } from "@accord/connector-sdk";
import { hashText } from "@accord/connector-sdk/fingerprint";
import type { Clock } from "../../../../platform/clock.ts";
import type { ConnectorsService } from "../../../connections/connectors/index.ts";
import type { ActionsService } from "../../actions/index.ts";
import { dryResults, readSingle, type CompiledPipeline } from "../../runs/index.ts";
import { compareSubjects, type Comparison, type StoredState } from "./compare.ts";
import type { EvidenceStore, PipelineKey } from "./evidence.store.ts";
import { type ReasonContext, reasonOf } from "../report/reasons.ts";
import type { ReportsStore } from "../report/reports.store.ts";
import {
  type ComparedSubject,
  type FoundDifference,
  type RawDifference,
  type Subject,
  subjectKey,
} from "./subjects.ts";
import type { ComparedSystem } from "./systems.ts";
import type { PassContext } from "./transformation.ts";
import type { SuspectRow, WorkStore } from "./work.store.ts";

/** What reconciliations work with. */
export interface Means {
  clock: Clock;
  connectors: Pick<ConnectorsService, "openConnection">;
  evidence: EvidenceStore;
  work: WorkStore;
  reports: ReportsStore;
  /** Asks the pipeline for a cycle soon. */
  requestCycle(key: PipelineKey): Promise<void>;
}

export interface Verdict {
  differences: FoundDifference[];
  /** No longer suspected: they agree, or are reported. */
  settled: SuspectRow[];
  /** Changed since the last look: to be looked at once more. */
  moving: SuspectRow[];
}

export class DeletionScanner {
  readonly #means: Means;
  readonly #key: PipelineKey;
  readonly #pipeline: CompiledPipeline;
  readonly #answer: PassContext["answer"];

  private constructor(means: Means, key: PipelineKey, pipeline: CompiledPipeline, answer: PassContext["answer"]) {
    this.#means = means;
    this.#key = key;
    this.#pipeline = pipeline;
    this.#answer = answer;
  }

  /** One whose answers to nodes are those of a dry run: nothing is done outside. */
  static of(
    means: Means,
    key: PipelineKey,
    pipeline: CompiledPipeline,
    answers: Pick<ActionsService, "answer">,
  ): DeletionScanner {
    const answer = dryResults({ answers }, key.instanceId, pipeline);
    return new DeletionScanner(means, key, pipeline, (dataRequests) =>
      answer({ kind: "ask", nodeId: "", placeId: null, dataRequests }),
    );
  }

  /** A guarded connection that waits for rate limits as a resync does, and leaves the rest of the budget to cycles. */
  async connected<Result>(
    { connectorId }: ComparedSystem,
    signal: AbortSignal,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const patience = { traffic: "resync" as const, giveUp: signal, onWait: () => {} };
    const connection = await this.#means.connectors.openConnection(this.#key.instanceId, connectorId, {
      signal,
      patience,
    });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  async compare(system: ComparedSystem, subjects: readonly Subject[]): Promise<Comparison> {
    const state = await this.#stateOf(system, subjects);
    return compareSubjects(this.#pipeline.plan, system, subjects, state, this.#pass(0.5));
  }

  async resolveAgain(
    system: ComparedSystem,
    connection: Connection,
    suspects: readonly SuspectRow[],
    { since, isLast }: { since: string; isLast: boolean },
  ): Promise<Verdict> {
    const { evidence } = this.#means;
    const lookedAt = await evidence.databaseTime();
    const subjects = await readSubjects(system, connection, suspects);
    const state = await this.#stateOf(system, subjects);
    const { plan } = this.#pipeline;
    const first = await compareSubjects(plan, system, subjects, state, this.#pass(0.25));
    const second = await compareSubjects(plan, system, subjects, state, this.#pass(0.75));
    const stable = withoutVolatile(first.compared, second.compared);
    const context = await this.#contextOf(system, stable, since, lookedAt);
    const known = new Map(suspects.map((suspect) => [subjectKey(suspect), suspect]));
    const verdict: Verdict = { differences: [], settled: [], moving: [] };
    for (const compared of stable) {
      const suspect = known.get(subjectKey(compared.subject));
      if (suspect) judge(compared, suspect, context, isLast, verdict);
    }
    return verdict;
  }

  #pass(chance: number): PassContext {
    return { now: this.#means.clock.now().getTime(), random: () => chance, answer: this.#answer };
  }

  async #stateOf(system: ComparedSystem, subjects: readonly Subject[]): Promise<StoredState> {
    const { evidence } = this.#means;
    const { storage } = this.#pipeline;
    const outside = subjects.flatMap((subject) => (subject.externalId === null ? [] : [subject]));
    const resolved = await storage.resolve({
      placeId: system.placeId,
      records: outside.map(({ externalId }) => ({ externalId: externalId ?? "", seen: "", deleted: false })),
      absorb: false,
      references: referencesIn(system, outside),
    });
    const named = subjects.flatMap(({ externalId, recordId }) => (externalId === null && recordId ? [recordId] : []));
    const records = await storage.readRecords(named);
    const held = [...resolved.records.values(), ...records];
    const references = new Map<string, ReadonlyMap<string, string>>();
    for (const { reference, coreField } of system.sink?.mappings ?? []) {
      if (!reference) continue;
      const ids = held.flatMap(({ values }) => (typeof values[coreField] === "string" ? [values[coreField]] : []));
      const name = `${reference.connectorId}/${reference.entity}`;
      const more = await evidence.outsideIds(this.#key, reference, ids);
      references.set(name, new Map([...(references.get(name) ?? []), ...more]));
    }
    return {
      resolved,
      linksByRecord: await evidence.linksByRecord(this.#key, system.placeId, named),
      recordsById: new Map(records.map((record) => [record.recordId, record])),
      references,
    };
  }

  async #contextOf(
    system: ComparedSystem,
    compared: readonly ComparedSubject[],
    since: string,
    lookedAt: string,
  ): Promise<ReasonContext | null> {
    const { evidence } = this.#means;
    const differing = compared.filter(({ differences }) => differences.length > 0);
    const progress = await evidence.progress(this.#key, since);
    if (!progress) return null;
    const recordIds = differing.flatMap(({ recordId }) => recordId ?? []);
    const externalIds = differing.flatMap(({ subject }) => subject.externalId ?? []);
    const fields = differing.flatMap(({ differences }) =>
      differences.flatMap(({ recordId, field, isAtSink }) =>
        recordId !== null && field !== null && !isAtSink ? [{ recordId, field }] : [],
      ),
    );
    return {
      system,
      progress,
      evidence: await evidence.evidence(this.#key, this.#pipeline.entity.apiName, system.placeId, {
        recordIds,
        externalIds,
        since: lookedAt,
      }),
      lastChanges: await evidence.lastChanges(this.#key, fields),
    };
  }
}

/** What one look says of a subject, kept until the next one. */
export function suspectOf({ subject, differences }: ComparedSubject): SuspectRow[] {
  if (differences.length === 0) return [];
  return [{ externalId: subject.externalId, recordId: subject.recordId, digest: digestOf(differences) }];
}

const digestOf = (differences: readonly RawDifference[]): string =>
  hashText(
    JSON.stringify(
      differences.map(({ kind, field, connectorField, outsideValue, coreValue, recordId }) => [
        kind,
        field,
        connectorField,
        outsideValue,
        coreValue,
        recordId,
      ]),
    ),
  );

/** A difference counts when two looks with a whole cycle between them showed the same, and nothing touched the record meanwhile. */
function judge(
  { subject, recordId, differences }: ComparedSubject,
  suspect: SuspectRow,
  context: ReasonContext | null,
  isLast: boolean,
  verdict: Verdict,
): void {
  if (differences.length === 0 || !context) {
    verdict.settled.push(suspect);
    return;
  }
  const { evidence, progress } = context;
  const digest = digestOf(differences);
  const isTouched =
    evidence.touchedOutside.has(subject.externalId ?? "") || evidence.touchedRecords.has(recordId ?? "");
  const isStill = digest === suspect.digest && !isTouched && (progress.hasCycled || progress.isPaused);
  const found = differences.map((difference): FoundDifference => {
    const reason = reasonOf(difference, subject, context);
    return { ...difference, reason: reason === "unexplained" && !isStill ? "unsettled" : reason };
  });
  if (!isLast && found.some(({ reason }) => reason === "unsettled")) {
    verdict.moving.push({ ...suspect, digest });
    return;
  }
  verdict.settled.push(suspect);
  verdict.differences.push(...found);
}

/** Functions of chance and of the moment give other values in each pass: such values can't be compared. */
function withoutVolatile(first: readonly ComparedSubject[], second: readonly ComparedSubject[]): ComparedSubject[] {
  return first.map((compared, index) => {
    const again = second[index]?.differences ?? [];
    const isStable = (difference: RawDifference): boolean =>
      again.some((other) => digestOf([other]) === digestOf([difference]));
    return { ...compared, differences: compared.differences.filter(isStable) };
  });
}

function referencesIn(system: ComparedSystem, subjects: readonly Subject[]) {
  return (system.source?.mappings ?? []).flatMap(({ reference, connectorField }) => {
    if (!reference) return [];
    const ids = subjects.flatMap(({ values }) => {
      const value = values?.[connectorField];
      return value === null || value === undefined || value === "" ? [] : [String(value)];
    });
    return ids.length > 0 ? [{ ...reference, externalIds: [...new Set(ids)] }] : [];
  });
}

/** Suspected records as they stand now. */
async function readSubjects(
  system: ComparedSystem,
  connection: Connection,
  suspects: readonly SuspectRow[],
): Promise<Subject[]> {
  const now = new Map<string, SourceRecord>();
  if (system.canGetById && connection.getByIds) {
    const ids = suspects.flatMap(({ externalId }) => externalId ?? []);
    const found = await readSingle(connection, { entity: system.schema, fields: system.fields, ids });
    for (const record of found) if (!record.deleted) now.set(record.id, record);
  } else {
    for (const { record } of suspects) if (record) now.set(record.id, record);
  }
  return suspects.map(({ externalId, recordId }) => {
    const record = externalId === null ? undefined : now.get(externalId);
    return {
      externalId,
      recordId: externalId === null ? recordId : null,
      values: record?.values ?? null,
      modifiedAt: record?.modifiedAt ?? null,
    };
  });
}
