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
import { sendDeliveries } from "./alert-deliveries.ts";
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
/** Sends what alerts that were crossed still have to send; each message stands in the table until it is sent. */
const deliverAlerts = defineJob({
  name: "insights.alerts.deliver",
  data: z.strictObject({}),
  oneWaitingPerKey: true,
  retries: 0,
});
/** Instances at once in a process. */
const MAX_CONCURRENT = 2;

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
  const wakeDeliveries = () => deps.jobs.send(deliverAlerts, {}, { key: "all" });
  const service = alertsService({ deps, cards, audit, wake });
  needs.alertsOfCards.count = service.count;

  async function wakeDue(): Promise<void> {
    for (const instanceId of await checks.findDueInstances(deps.appDb, deps.clock.now().toISOString()))
      await wake(instanceId);
    await wakeDeliveries();
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
      const running = new Set<Promise<void>>();
      const stops = [
        await deps.jobs.work(
          evaluateAlerts,
          async ({ instanceId }, { signal }) => {
            if (!(await needs.isEnabled(instanceId))) return;
            const signals = AbortSignal.any([signal, stopping.signal]);
            const run = evaluateDue({ deps, cards, notifications, wakeDeliveries }, instanceId, signals);
            running.add(run);
            await run.finally(() => running.delete(run));
          },
          { concurrency: MAX_CONCURRENT },
        ),
        await deps.jobs.work(findDueAlerts, wakeDue),
        await deps.jobs.work(deliverAlerts, (_, { signal }) =>
          sendDeliveries({ deps, notifications }, AbortSignal.any([signal, stopping.signal])),
        ),
      ];
      await deps.jobs.schedule(findDueAlerts, "* * * * *", {});
      await deps.jobs.send(findDueAlerts, {});
      return async () => {
        stopping.abort();
        await Promise.allSettled(running);
        for (const stop of stops) await stop();
      };
    },
  };
}
