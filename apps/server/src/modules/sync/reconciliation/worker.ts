/** Background work: takes reconciliations that were asked for, one of each instance at a time, and begins those anew whose worker died. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { randomUUID } from "node:crypto";
import { reconciliationChanged } from "@accord/contracts/sync/reconciliation";
import { ConnectorError } from "@accord/connector-sdk";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { ActionsService } from "../actions/index.ts";
import { PipelineNotRunnable, type PipelinePlans } from "../runs/index.ts";
import { DeletionScanner, type Means } from "./comparison/looks.ts";
import { reconcile } from "./reconcile.ts";
import type { ReportProgress, ReportRow } from "./report/reports.store.ts";

export interface WorkerContext {
  deps: Pick<Deps, "clock" | "log" | "realtime">;
  means: Means;
  plans: Pick<PipelinePlans, "load">;
  answers: Pick<ActionsService, "answer">;
  /** Longest wait for the pipeline between two looks. */
  settleMs: number;
}

const POLL_MS = 2_000;
/** Progress is written down, and screens are told, this often. */
const PROGRESS_MS = 1_000;
const RENEW_MS = 10_000;
/** Under way in one process, each of another instance. */
const MAX_AT_ONCE = 3;
/** A comparison whose worker died this often is given up. */
const MAX_ATTEMPTS = 5;

/** Ended from outside: by a person, or because another worker took over. */
class Interrupted extends Error {
  readonly outcome: "cancelled" | "lost";
  constructor(outcome: "cancelled" | "lost") {
    super(`reconciliation ${outcome}`);
    this.outcome = outcome;
  }
}

export class ReconciliationWorker {
  readonly #parts: WorkerContext;
  readonly #owner = randomUUID();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  /** By instance: at most one of each, so that one with large systems leaves room for the others. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(parts: WorkerContext) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.poll(), POLL_MS);
    this.poll();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#looking;
    await Promise.all(this.#running.values());
  }

  /** Takes what waits while there is room. */
  poll(): void {
    if (this.#timer === undefined || this.#stopping.signal.aborted) return;
    this.#looking ??= this.#fill()
      .catch((error: unknown) => this.#parts.deps.log.warn({ err: error }, "looking for reconciliations failed"))
      .finally(() => (this.#looking = null));
  }

  /** Runs one in this process, as the command does; null when somebody else is at it. */
  async runOne(id: string): Promise<void> {
    const report = await this.#parts.means.reports.acquire(this.#owner, { id });
    if (report) await this.#run(report, report.attempts);
  }

  async #fill(): Promise<void> {
    while (!this.#stopping.signal.aborted && this.#running.size < MAX_AT_ONCE) {
      const report = await this.#parts.means.reports.acquire(this.#owner, { except: [...this.#running.keys()] });
      if (!report) return;
      const work = this.#run(report, report.attempts)
        .catch((error: unknown) => this.#parts.deps.log.warn({ err: error }, "a reconciliation broke off"))
        .finally(() => {
          this.#running.delete(report.instanceId);
          this.poll();
        });
      this.#running.set(report.instanceId, work);
    }
  }

  async #run(report: ReportRow, attempts: number): Promise<void> {
    const { reports } = this.#parts.means;
    const { id } = report;
    try {
      if (attempts > MAX_ATTEMPTS) throw new AppError("internal_error");
      const summary = await this.#reconcile(report);
      await reports.end(this.#owner, id, "FINISHED", { summary, problem: null });
    } catch (error) {
      if (error instanceof Interrupted && error.outcome === "lost") return;
      if (this.#stopping.signal.aborted) {
        await reports.release(this.#owner, id);
        return;
      }
      const isCancelled = error instanceof Interrupted;
      if (!isCancelled) this.#parts.deps.log.warn({ err: error, reconciliation: id }, "a reconciliation failed");
      const status = isCancelled ? "CANCELLED" : "FAILED";
      await reports.end(this.#owner, id, status, { summary: {}, problem: isCancelled ? null : problemOf(error) });
      await this.#parts.means.work.clear(report, "work");
    } finally {
      await this.#announce(report);
    }
  }

  async #reconcile(report: ReportRow) {
    const { means, plans, answers, settleMs, deps } = this.#parts;
    const { instanceId, pipelineId, id } = report;
    const pipeline = await plans.load(instanceId, pipelineId);
    const scanner = DeletionScanner.of(means, report, pipeline, answers);
    const ending = new AbortController();
    let progress: ReportProgress = {};
    let toldAt = -Infinity;
    const renew = async (): Promise<void> => {
      const state = await means.reports.renew(this.#owner, id, progress);
      if (state !== "going") ending.abort(new Interrupted(state));
    };
    // A system that lets us wait says nothing for long: the lease is renewed all the same.
    const timer = setInterval(() => void renew().catch(() => {}), RENEW_MS);
    try {
      return await reconcile(means, scanner, {
        key: report,
        pipeline,
        settleMs,
        signal: AbortSignal.any([ending.signal, this.#stopping.signal]),
        onProgress: async (now) => {
          const isNewPhase = now.phase !== progress.phase;
          progress = { ...now };
          if (!isNewPhase && deps.clock.monotonicMs() - toldAt < PROGRESS_MS) return;
          toldAt = deps.clock.monotonicMs();
          await renew();
          await this.#announce(report);
          ending.signal.throwIfAborted();
        },
      });
    } catch (error) {
      // Whatever broke off because it had to end, ended.
      if (ending.signal.aborted) throw ending.signal.reason;
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  async #announce({ instanceId, pipelineId, id }: ReportRow): Promise<void> {
    await this.#parts.deps.realtime
      .publish(instanceId, reconciliationChanged, { entityId: pipelineId, reconciliationId: id })
      .catch((error: unknown) => this.#parts.deps.log.warn({ err: error }, "a status message was not sent"));
  }
}

function problemOf(error: unknown): string {
  if (error instanceof ConnectorError || error instanceof PipelineNotRunnable || error instanceof AppError)
    return error.message;
  return syncRefusals.endedUnexpectedly;
}
