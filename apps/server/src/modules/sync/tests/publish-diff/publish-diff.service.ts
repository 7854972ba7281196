/** Use case of comparing the draft with what is published over stored records, in memory: nothing is stored or asked outside. */
import type { FieldChoice } from "@accord/contracts/sync/field-choice";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import { PUBLISH_DIFF_LIMITS as LIMITS, type PublishDiff } from "@accord/contracts/sync/tests/publish-diff";
import { SecretFields } from "@accord/expressions";
import { isSameContent } from "@accord/sync-engine/graph";
import { placeName } from "@accord/sync-engine/run";
import type { Ctx } from "../../../../platform/ctx.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { readRecordNames } from "../../../data/schema/index.ts";
import type { PipelineService, TestedVersion } from "../../pipelines/index.ts";
import {
  type ChosenOrder,
  dryResults,
  isQueryTimeout,
  type RunsDependencies,
  StoredState,
  type TestNeeds,
  type TestPipeline,
} from "../../runs/index.ts";
import { graphsHash } from "../graphs-hash.ts";
import { Ended, resultTrace } from "../test-run/result-trace.ts";
import type { Owner, TestedPipelines } from "../tested-pipelines.ts";
import { tryTurns } from "../try-record/try-turns.ts";
import { compareResults, type DiffSecrets, eitherDestinations, oneSidedSources } from "./compare-results.ts";
import { fromCursor, toCursor } from "./diff-cursor.ts";
import { DiffReport } from "./diff-report.ts";
import { readSubject } from "./read-subject.ts";
import { runVersion, type VersionParts } from "./run-version.ts";

export interface PublishDiffParts {
  deps: Pick<Deps, "clock" | "newId" | "dataReads">;
  needs: TestNeeds &
    Pick<RunsDependencies, "answers" | "schema"> & { pipelines: Pick<PipelineService, "remappedFields"> };
  tested: TestedPipelines;
}

type Body = { records: number; order: ChosenOrder; fieldPipelines: FieldChoice; cursor?: string | undefined };
type InstanceId = Id<"instance">;

export function publishDiffService({ deps, needs, tested: pipelines }: PublishDiffParts) {
  const turns = tryTurns();

  async function run(owner: Owner, body: Body, signal: AbortSignal): Promise<PublishDiff> {
    const draft = await pipelines.versionOf(owner, "draft", body.fieldPipelines);
    const published = (await pipelines.versionsOf(owner)).find(({ graphVersion }) => graphVersion === "published");
    const entity = await needs.schema.getEntity(owner.instanceId, owner.pipelineId);
    if (!published || !entity) return withoutPublished(draft);
    const stored = await StoredState.read(deps.dataReads, owner.instanceId, entity);
    const before = await compiled(owner, published, { other: draft, stored, signal });
    const after = await compiled(owner, draft, { other: published, stored, signal });
    const destinations = eitherDestinations(before.pipeline.plan.sinks, after.pipeline.plan.sinks);
    const report = new DiffReport(destinations);
    const versions = [before, after].map((one) => ({ ...one, published: before.pipeline.plan }));
    const cursor = await compareAll({ owner, entity, stored, versions, signal }, body, report, {
      destinations,
      secrets: secretsOf([before.pipeline, after.pipeline]),
    });
    const { number, name } = published.version;
    return {
      versions: `${published.version.versionId} ${graphsHash(published.version)} ${graphsHash(draft.version)}`,
      published: { number, name },
      fieldPipelines: fieldPipelines(draft.entity, published, draft),
      cursor,
      sources: oneSidedSources(before.pipeline.plan.sources, after.pipeline.plan.sources),
      ...report.result(),
    };
  }

  /** Both run as if it were the same moment. */
  async function compiled(
    owner: Owner,
    version: TestedVersion,
    { other, stored, signal }: { other: TestedVersion; stored: StoredState; signal: AbortSignal },
  ): Promise<Omit<VersionParts, "published">> {
    const { instanceId, pipelineId } = owner;
    const trace = resultTrace(signal);
    const graphs = [other.version];
    const remapped = await remappedIn(instanceId, pipelineId, version);
    const compiling = { graphs, stored, remapped, observe: trace.observe };
    const pipeline = await pipelines.compiled(owner, version, compiling).catch((error: unknown) => {
      if (version.graphVersion === "draft" || !(error instanceof AppError)) throw error;
      throw new AppError("test_failed", { reason: words.publishedNotRunnable }, { cause: error });
    });
    const now = deps.clock.now();
    const clock = { now: () => now, monotonicMs: () => deps.clock.monotonicMs() };
    const answer = dryResults(needs, instanceId, pipeline);
    return { deps: { clock, newId: deps.newId }, pipeline, trace, stored, answer };
  }

  const remappedIn = (at: InstanceId, entityId: Id<"entity">, { graphVersion, version }: TestedVersion) =>
    needs.pipelines.remappedFields(at, entityId, graphVersion === "draft" ? version : undefined);

  /** Where it goes on; null: there are no more records. */
  async function compareAll(
    { owner, entity, stored, versions: [before, after], signal }: Comparing,
    body: Body,
    report: DiffReport,
    comparing: { destinations: ReturnType<typeof eitherDestinations>; secrets: DiffSecrets },
  ): Promise<string | null> {
    if (!before || !after) return null;
    const until = deps.clock.monotonicMs() + LIMITS.seconds * 1000;
    const keys = await stored.choose({
      order: body.order,
      after: fromCursor(body.order, body.cursor),
      count: body.records,
    });
    const names = await readRecordNames(
      deps.dataReads,
      owner.instanceId,
      entity,
      keys.map(({ recordId }) => recordId),
    );
    for (const [index, key] of keys.entries()) {
      const previous = keys[index - 1];
      if (previous && deps.clock.monotonicMs() > until) return toCursor(previous);
      const { recordId } = key;
      const subject = await readSubject(recordId, [before.pipeline, after.pipeline], stored);
      if (!subject) continue;
      try {
        const results = [await runVersion(before, subject.before), await runVersion(after, subject.after)] as const;
        report.add(
          { recordId, name: names.get(recordId) ?? null },
          results,
          compareResults(...results, comparing.destinations, comparing.secrets),
        );
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Ended)) throw error;
        report.fail(recordId, error.message);
      }
      await letOthersWork();
      signal.throwIfAborted();
    }
    const last = keys.at(-1);
    return last && keys.length === body.records ? toCursor(last) : null;
  }

  return {
    async diff(ctx: Ctx, entityId: Id<"entity">, body: Body): Promise<PublishDiff> {
      const owner = await pipelines.ownerOf(ctx, { kind: "entity", id: entityId });
      const time = AbortSignal.timeout(LIMITS.totalSeconds * 1000);
      const signal = AbortSignal.any([ctx.exchange.signal, time]);
      const caller = { instanceId: ctx.instanceId, userId: ctx.actor.userId, signal };
      try {
        return await turns.run(caller, (until) => run(owner, body, until));
      } catch (error) {
        if (!time.aborted && !isQueryTimeout(error)) throw error;
        const reason = fill(words.diffTooLong, { seconds: LIMITS.totalSeconds });
        throw new AppError("test_failed", { reason }, { cause: error });
      }
    },
  };
}

export type PublishDiffService = ReturnType<typeof publishDiffService>;

interface Comparing {
  owner: Owner;
  entity: CoreEntity;
  stored: StoredState;
  versions: readonly VersionParts[];
  signal: AbortSignal;
}

/** Requests are answered between two records. */
const letOthersWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const withoutPublished = (draft: TestedVersion): PublishDiff => ({
  versions: graphsHash(draft.version),
  published: null,
  fieldPipelines: fieldPipelines(draft.entity, null, draft),
  cursor: null,
  sources: [],
  ...new DiffReport([]).result(),
});

/** A field that is secret in either version is not shown. */
function secretsOf(pipelines: readonly TestPipeline[]): DiffSecrets {
  const names = pipelines.flatMap(({ secretNames }) => [...secretNames]);
  const places = new Map(
    pipelines.flatMap(({ plan, secrets }) =>
      [...plan.places.values()].map((place) => [placeName(place), secrets.at(place.id).and(names)] as const),
    ),
  );
  const named = SecretFields.named(names);
  return { core: named, at: (place) => places.get(place) ?? named };
}

function fieldPipelines(
  entity: CoreEntity,
  published: TestedVersion | null,
  draft: TestedVersion,
): PublishDiff["fieldPipelines"] {
  const before = published?.version.fieldGraphs ?? {};
  const after = draft.version.fieldGraphs ?? {};
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(
    (field): PublishDiff["fieldPipelines"] => {
      const [was, now] = [before[field], after[field]];
      const label = entity.fields.find(({ apiName }) => apiName === field)?.displayName || field;
      if (!was) return [{ field, label, change: "added" }];
      if (!now) return [{ field, label, change: "removed" }];
      return isSameContent(was, now) ? [] : [{ field, label, change: "changed" }];
    },
  );
}
