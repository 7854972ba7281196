/** What happened that people should know: the module, and how others tell it. */
import * as contract from "@accord/contracts/operations/notifications";
import type { Deps } from "../../../platform/deps.ts";
import { route, type Module } from "../../../platform/module.ts";
import { type NotificationsService, notificationsService } from "./notifications.service.ts";

export type { NotificationsService, NotificationInput } from "./notifications.service.ts";

const TIDY_MS = 3_600_000;

export function notificationsModule(deps: Deps): Module & { service: NotificationsService } {
  const service = notificationsService(deps);
  return {
    name: "operations/notifications",
    service,
    routes: [
      route(contract.listNotifications, (ctx, { query }) => service.list(ctx, query)),
      route(contract.markNotificationsRead, async (ctx, { body }) => {
        await service.markRead(ctx, body.upTo);
        return {};
      }),
    ],
    async startWorker() {
      const tidy = (): void =>
        void service
          .forgetOld()
          .catch((error: unknown) => deps.log.warn({ err: error }, "old notifications were not forgotten"));
      const hourly = setInterval(tidy, TIDY_MS);
      return async () => clearInterval(hourly);
    },
  };
}
