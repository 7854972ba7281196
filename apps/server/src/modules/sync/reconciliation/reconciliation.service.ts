/** Use cases of reconciliation: begin and cancel one, read its report, and ask the pipeline for repairs. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import {
  type Reconciliation,
  reconciliationChanged,
  type RepairChoice,
  type RepairPlan,
} from "@accord/contracts/sync/reconciliation";
import type { ResyncRequest } from "@accord/contracts/sync/monitoring/runs";
import type { Caller } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { Download } from "../../../platform/http/download.ts";
import type { ActionsService } from "../actions/index.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import {
  cursors,
  PipelineNotRunnable,
  type PageQuery,
  type PipelinePlans,
  type CompiledPipeline,
  type ScheduleStore,
} from "../runs/index.ts";
import { csvStream } from "./report/csv.ts";
import { DeletionScanner, type Means } from "./comparison/looks.ts";
import { isExplicitChoice, planRepair, type RepairContext } from "./repair/repair.ts";
import { REPORT_COUNTS_MS, stillDifferent } from "./repair/repair-looks.ts";
import type { RepairStore } from "./repair/repair.store.ts";
import type { DifferenceChoice, DifferenceRow } from "./report/differences.store.ts";
import type { ReportRow, ReportsStore } from "./report/reports.store.ts";
import { systemsOf } from "./comparison/systems.ts";
import { CSV_HEADER, csvRow, differenceViewer, toReconciliation } from "./report/report-view.ts";
import type { WorkKey, WorkStore } from "./comparison/work.store.ts";

export interface ReconciliationParts {
  deps: Pick<Deps, "newId" | "realtime">;
  schema: Pick<SchemaService, "getEntity">;
  plans: Pick<PipelinePlans, "load">;
  schedule: Pick<ScheduleStore, "find" | "requestCycle">;
  startResync(ctx: Caller, entityId: Id<"entity">, request: ResyncRequest): Promise<unknown>;
  reports: ReportsStore;
  work: WorkStore;
  repairs: RepairStore;
  means: Means;
  answers: Pick<ActionsService, "answer">;
  /** A worker of this process looks at once. */
  wake(): void;
}

/** Rows of a file read at once. */
const CHUNK = 500;

export type ReconciliationService = ReturnType<typeof reconciliationService>;

export function reconciliationService(parts: ReconciliationParts) {
  const { deps, schedule, reports, work } = parts;

  async function requireReport(instanceId: Id<"instance">, id: Id<"reconciliation">): Promise<ReportRow> {
    const report = await reports.find(instanceId, id);
    if (!report) throw new AppError("not_found", { what: "Reconciliation" });
    return report;
  }

  async function viewOf(report: ReportRow): Promise<Reconciliation> {
    return toReconciliation(report, await reports.storedCounts(report));
  }

  const viewerOf = async (report: ReportRow) => differenceViewer(await loadPipeline(parts, report).catch(() => null));

  /** Null while another one of the pipeline waits or runs. */
  async function add(
    instanceId: Id<"instance">,
    entityId: Id<"entity">,
    requestedBy: string,
  ): Promise<ReportRow | null> {
    const row = await schedule.find(instanceId, entityId);
    if (!row) {
      const entity = await parts.schema.getEntity(instanceId, entityId);
      throw entity ? new AppError("pipeline_not_published") : new AppError("not_found", { what: "Pipeline" });
    }
    const id = deps.newId<"reconciliation">();
    const { versionNumber } = row;
    const report = await reports.add({ id, instanceId, pipelineId: entityId, versionNumber, requestedBy });
    for (const outdated of report ? await reports.outdated(instanceId, entityId) : [])
      await work.clear({ instanceId, pipelineId: entityId, id: outdated }, "all");
    parts.wake();
    return report;
  }

  /** What a repair looks at differences with. */
  const contextOf = async (report: ReportRow, choice: RepairChoice): Promise<RepairContext> => ({
    lostLinks: await reports.lostLinks(report),
    isExplicit: isExplicitChoice(choice),
  });

  async function lookPartsOf(report: ReportRow, pipeline: CompiledPipeline) {
    const { means, answers } = parts;
    const [newest] = await reports.list(report.instanceId, report.pipelineId);
    const age = report.endedAt === null ? Infinity : means.clock.now().getTime() - Date.parse(report.endedAt);
    return {
      ...means,
      key: report,
      pipeline,
      scanner: DeletionScanner.of(means, report, pipeline, answers),
      isCurrent: newest?.id === report.id && age <= REPORT_COUNTS_MS,
    };
  }

  return {
    async start({ instanceId, actor }: Caller, entityId: Id<"entity">): Promise<Reconciliation> {
      const report = await add(instanceId, entityId, `${actor.firstName} ${actor.lastName}`.trim());
      if (!report) throw new AppError("reconciliation_running");
      return viewOf(report);
    },

    /** For commands: one that waits or runs already will do. */
    async begin(instanceId: Id<"instance">, entityId: Id<"entity">, by: string): Promise<Reconciliation> {
      const report = (await add(instanceId, entityId, by)) ?? (await reports.list(instanceId, entityId))[0];
      if (!report) throw new AppError("reconciliation_running");
      return viewOf(report);
    },

    async find(instanceId: Id<"instance">, id: Id<"reconciliation">): Promise<Reconciliation> {
      return viewOf(await requireReport(instanceId, id));
    },

    async list(ctx: Caller, entityId: Id<"entity">): Promise<{ reconciliations: Reconciliation[] }> {
      const { instanceId } = ctx;
      const isThere =
        (await parts.schema.getEntity(instanceId, entityId)) ?? (await schedule.find(instanceId, entityId));
      if (!isThere) throw new AppError("not_found", { what: "Pipeline" });
      const rows = await reports.list(instanceId, entityId);
      return { reconciliations: await Promise.all(rows.map(viewOf)) };
    },

    async get(ctx: Caller, id: Id<"reconciliation">): Promise<Reconciliation> {
      return viewOf(await requireReport(ctx.instanceId, id));
    },

    async cancel(ctx: Caller, id: Id<"reconciliation">): Promise<Reconciliation> {
      const report = await requireReport(ctx.instanceId, id);
      if (!(await reports.requestCancel(ctx.instanceId, id)))
        throw new AppError("invalid_state", { reason: syncRefusals.reconciliationOver });
      await deps.realtime.publish(ctx.instanceId, reconciliationChanged, {
        entityId: report.pipelineId,
        reconciliationId: id,
      });
      return viewOf(await requireReport(ctx.instanceId, id));
    },

    async differences(ctx: Caller, id: Id<"reconciliation">, { kind, reason, ...query }: DifferenceChoice & PageQuery) {
      const report = await requireReport(ctx.instanceId, id);
      const from = query.cursor ?? null;
      if (from !== null && !/^\d{1,18}$/.test(from)) throw notACursor();
      const { count, direction } = query;
      const page = await reports.differences(report, { kind, reason }, { from, direction, count });
      const view = await viewerOf(report);
      return { differences: page.rows.map(view), page: cursors(page, query, ({ number }) => number) };
    },

    async csv(ctx: Caller, id: Id<"reconciliation">, choice: DifferenceChoice): Promise<Download> {
      const report = await requireReport(ctx.instanceId, id);
      const view = await viewerOf(report);
      async function* pages(): AsyncGenerator<Value[][]> {
        for await (const rows of chunks(reports, report, choice)) yield rows.map((row) => csvRow(view(row)));
      }
      return new Download({
        fileName: `reconciliation-${id}.csv`,
        contentType: "text/csv; charset=utf-8",
        content: csvStream(CSV_HEADER, pages()),
      });
    },

    async previewRepair(ctx: Caller, id: Id<"reconciliation">, choice: RepairChoice): Promise<RepairPlan> {
      const report = await requireReport(ctx.instanceId, id);
      const systems = systemsOf(await loadPipeline(parts, report));
      const rows = await reports.chosen(report, choice);
      return planRepair(rows, systems, await contextOf(report, choice)).plan;
    },

    async repair(ctx: Caller, id: Id<"reconciliation">, choice: RepairChoice): Promise<RepairPlan> {
      const report = await requireReport(ctx.instanceId, id);
      const { instanceId, pipelineId } = report;
      if (report.status !== "FINISHED")
        throw new AppError("invalid_state", { reason: syncRefusals.reconciliationUnfinished });
      if (!(await schedule.find(instanceId, pipelineId))) throw new AppError("pipeline_not_published");
      const pipeline = await loadPipeline(parts, report);
      const systems = systemsOf(pipeline);
      const rows = await reports.chosen(report, choice);
      const context = await contextOf(report, choice);
      const lookParts = { ...(await lookPartsOf(report, pipeline)), isExplicit: context.isExplicit };
      const { rows: still, ...left } = await stillDifferent(lookParts, systems, rows);
      const { work: asked, resyncs, numbers, plan } = planRepair(still, systems, context);
      for (const one of asked) await parts.repairs.request(report, pipeline.entity.apiName, one);
      await reports.noteRepair(report, numbers);
      if (resyncs.length > 0) await parts.startResync(ctx, pipelineId, { scope: "all", sourceEntityIds: resyncs });
      await schedule.requestCycle(instanceId, pipelineId);
      return { ...plan, ...left };
    },
  };
}

const notACursor = (): AppError =>
  new AppError("validation_failed", {}, { errors: [{ path: "cursor", message: syncRefusals.noCursor }] });

async function loadPipeline(
  { plans }: ReconciliationParts,
  { instanceId, pipelineId }: ReportRow,
): Promise<CompiledPipeline> {
  try {
    return await plans.load(instanceId, pipelineId);
  } catch (error) {
    if (error instanceof PipelineNotRunnable) throw new AppError("pipeline_not_published");
    throw error;
  }
}

async function* chunks(
  reports: ReportsStore,
  report: WorkKey,
  choice: DifferenceChoice,
): AsyncGenerator<DifferenceRow[]> {
  for (let from: string | null = null; ;) {
    const page = await reports.differences(report, choice, { from, direction: "next", count: CHUNK });
    if (page.rows.length > 0) yield page.rows;
    if (!page.isMore) return;
    from = page.rows.at(-1)?.number ?? null;
  }
}
