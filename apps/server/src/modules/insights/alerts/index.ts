/** Alerts on cards: their endpoints, and the worker that evaluates them. */
import { id, type Id } from "@accord/contracts";
import * as api from "@accord/contracts/insights/card-alerts";
import { z } from "zod";
import type { Deps } from "../../../platform/deps.ts";
import { defineJob } from "../../../platform/jobs/jobs.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import type { AlertsOfCards, CardsService } from "../cards/index.ts";
import * as checks from "./alert-checks.store.ts";
import * as deliveries from "./alert-deliveries.store.ts";
import { sendCalls, sendMails } from "./alert-deliveries.ts";
import { evaluateDue } from "./alert-runner.ts";
import { alertsService } from "./alerts.service.ts";

/** Evaluates what is due of an instance; what is due stands in the table, which survives. */
const evaluateAlerts = defineJob({
  name: "insights.alerts",
  data: z.strictObject({ instanceId: id("instance") }),
  oneWaitingPerKey: true,
  retries: 0,
});
/** Finds instances with alerts that are due. */
const findDueAlerts = defineJob({ name: "insights.alerts.due", data: z.strictObject({}), retries: 0 });
/** Sends the mails of alerts that were crossed; each message stands in the table until it is sent. */
const mailAlerts = defineJob({
  name: "insights.alerts.mail",
  data: z.strictObject({}),
  oneWaitingPerKey: true,
  retries: 0,
});
/** Makes the calls of an instance, which wait for addresses of its own. */
const callAddresses = defineJob({
  name: "insights.alerts.call",
  data: z.strictObject({ instanceId: id("instance") }),
  oneWaitingPerKey: true,
  retries: 0,
});
/** Instances at once in a process. */
const MAX_CONCURRENT = 2;
/** Instances whose addresses are called at once in a process; the others have their turn within half a minute each. */
const CALLING_AT_ONCE = 8;

export interface AlertsNeeds {
  cards: CardsService;
  audit: AuditLog;
  notifications: NotificationsService;
  /** Whether Insights is on in an instance; where it is off, alerts rest. */
  isEnabled(instanceId: Id<"instance">): Promise<boolean>;
  /** Filled in here. */
  alertsOfCards: AlertsOfCards;
}

export function alertsModule(deps: Deps, needs: AlertsNeeds): Module {
  const { cards, audit, notifications } = needs;
  const wake = (instanceId: Id<"instance">) => deps.jobs.send(evaluateAlerts, { instanceId }, { key: instanceId });
  const wakeMails = () => deps.jobs.send(mailAlerts, {}, { key: "all" });
  const wakeCalls = (instanceId: Id<"instance">) => deps.jobs.send(callAddresses, { instanceId }, { key: instanceId });
  const service = alertsService({ deps, cards, audit, wake });
  needs.alertsOfCards.count = service.count;

  async function wakeDue(): Promise<void> {
    const now = deps.clock.now().toISOString();
    for (const instanceId of await checks.findDueInstances(deps.appDb, now)) await wake(instanceId);
    for (const instanceId of await deliveries.findCallingInstances(deps.appDb, now)) await wakeCalls(instanceId);
    await wakeMails();
  }

  return {
    name: "insights/alerts",
    routes: [
      route(api.listCardAlerts, (ctx, { params }) => service.list(ctx, params.id)),
      route(api.createCardAlert, (ctx, { params, body }) => service.create(ctx, params.id, body)),
      route(api.testCardAlert, (ctx, { params, body }) => service.test(ctx, params.id, body)),
      route(api.updateCardAlert, (ctx, { params, body }) => service.update(ctx, params.alertId, body)),
      route(api.deleteCardAlert, async (ctx, { params }) => {
        await service.remove(ctx, params.alertId);
        return {};
      }),
    ],
    async startWorker() {
      const stopping = new AbortController();
      const running = new Map<Id<"instance">, Promise<boolean>>();
      const stops = [
        await deps.jobs.work(
          evaluateAlerts,
          async ({ instanceId }, { signal }) => {
            if (!(await needs.isEnabled(instanceId))) return;
            // Whoever evaluates the instance finds what is due since.
            if (running.has(instanceId)) return;
            const signals = AbortSignal.any([signal, stopping.signal]);
            const run = evaluateDue({ deps, cards, notifications, wakeMails, wakeCalls }, instanceId, signals);
            running.set(instanceId, run);
            const hasMore = await run.finally(() => running.delete(instanceId));
            if (hasMore && !signals.aborted) await wake(instanceId);
          },
          { concurrency: MAX_CONCURRENT },
        ),
        await deps.jobs.work(findDueAlerts, wakeDue),
        await deps.jobs.work(mailAlerts, (_, { signal }) =>
          sendMails({ deps, notifications }, AbortSignal.any([signal, stopping.signal])),
        ),
        await deps.jobs.work(
          callAddresses,
          async ({ instanceId }, { signal }) => {
            if (!(await needs.isEnabled(instanceId))) return;
            const signals = AbortSignal.any([signal, stopping.signal]);
            const hasMore = await sendCalls({ deps, notifications }, instanceId, signals);
            if (hasMore && !signals.aborted) await wakeCalls(instanceId);
          },
          { concurrency: CALLING_AT_ONCE },
        ),
      ];
      await deps.jobs.schedule(findDueAlerts, "* * * * *", {});
      await deps.jobs.send(findDueAlerts, {});
      return async () => {
        stopping.abort();
        await Promise.allSettled(running.values());
        for (const stop of stops) await stop();
      };
    },
  };
}
