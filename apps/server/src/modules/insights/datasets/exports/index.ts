/** Exports of datasets: their endpoints, and the worker that makes the files. */
import { id, type Id } from "@accord/contracts";
import * as api from "@accord/contracts/insights/dataset-exports";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import type { Deps } from "../../../../platform/deps.ts";
import { defineJob } from "../../../../platform/jobs/jobs.ts";
import { type Module, route } from "../../../../platform/module.ts";
import type { AuditLog } from "../../../operations/audit/index.ts";
import type { NotificationInput, NotificationsService } from "../../../operations/notifications/index.ts";
import type { AnalyticsEngine } from "../../engine/index.ts";
import type { StoredDatasets } from "../stored-datasets.ts";
import { exportCompiler } from "./compile-export.ts";
import { failedNotification } from "./export-notifications.ts";
import { runNextExport } from "./export-runner.ts";
import * as runs from "./export-runs.store.ts";
import { exportsService } from "./exports.service.ts";

/** Makes the next export of an instance; the export itself is in the table, with all that must survive. */
const runExports = defineJob({
  name: "insights.exports",
  data: z.strictObject({ instanceId: id("instance") }),
  oneWaitingPerKey: true,
  // Longer than an export may take.
  expiresAfter: api.EXPORT_LIMITS.ms / 1_000 + 120,
});
/** Finds exports whose server is gone and files that are too old. */
const tidyExports = defineJob({ name: "insights.exports.tidy", data: z.strictObject({}), retries: 0 });
/** Exports at once in a process, each of another instance. */
const MAX_CONCURRENT = 2;

export function exportsModule(
  deps: Deps,
  needs: { stored: StoredDatasets; engine: AnalyticsEngine; audit: AuditLog; notify: NotificationsService["notify"] },
): Module {
  const compile = exportCompiler(deps, needs.stored);
  const wake = (instanceId: Id<"instance">) => deps.jobs.send(runExports, { instanceId }, { key: instanceId });
  const service = exportsService({ deps, stored: needs.stored, compile, audit: needs.audit, wake });

  /** The export has ended as it has, whether that could be said or not. */
  const notify = (end: NotificationInput): Promise<void> =>
    needs
      .notify(end)
      .catch((error: unknown) => deps.log.warn({ err: error }, "nobody was notified of an export's end"));

  async function tidy(): Promise<void> {
    await runs.deleteExpired(deps.appDb, deps.clock.now().toISOString());
    const failed = await runs.recoverLost(deps.appDb, (count) => fill(insights.exports.failed.lost, { count }));
    for (const { lost, reason } of failed) await notify(failedNotification(lost, reason));
    for (const instanceId of await runs.findWaiting(deps.appDb)) await wake(instanceId);
  }

  return {
    name: "insights/datasets/exports",
    routes: [
      route(api.createDatasetExport, (ctx, { params, body }) => service.create(ctx, params.id, body)),
      route(api.listDatasetExports, (ctx, { params }) => service.list(ctx, params.id)),
      route(api.getDatasetExport, (ctx, { params }) => service.get(ctx, params.exportId)),
      route(api.cancelDatasetExport, (ctx, { params }) => service.cancel(ctx, params.exportId)),
      route(api.deleteDatasetExport, async (ctx, { params }) => {
        await service.remove(ctx, params.exportId);
        return {};
      }),
      route(api.downloadDatasetExport, (ctx, { params }) => service.download(ctx, params.exportId)),
    ],
    async startWorker() {
      const stopping = new AbortController();
      const parts = { deps, engine: needs.engine, compile, notify };
      const running = new Set<Promise<void>>();
      const stops = [
        await deps.jobs.work(
          runExports,
          async ({ instanceId }, { signal }) => {
            const run = runNextExport(parts, instanceId, AbortSignal.any([signal, stopping.signal]));
            running.add(run);
            await run.finally(() => running.delete(run));
            if (await runs.hasWaiting(deps.appDb, instanceId)) await wake(instanceId);
          },
          { concurrency: MAX_CONCURRENT },
        ),
        await deps.jobs.work(tidyExports, tidy),
      ];
      await deps.jobs.schedule(tidyExports, "* * * * *", {});
      await deps.jobs.send(tidyExports, {});
      return async () => {
        stopping.abort();
        // Each puts its export back into the queue.
        await Promise.allSettled(running);
        for (const stop of stops) await stop();
      };
    },
  };
}
