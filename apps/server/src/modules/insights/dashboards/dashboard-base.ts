/** What every use case of dashboards begins and ends with: read it, refuse what its state forbids, say that it changed. */
import { dashboardAllows, type DashboardAction } from "@accord/analytics-engine";
import { type Id, isId } from "@accord/contracts";
import { type Dashboard, insightsChanged } from "@accord/contracts/insights/dashboards";
import type { Caller } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { authorName } from "../author.ts";
import * as store from "./dashboards.store.ts";

export type DashboardId = Id<"dashboard">;
export type DashboardBase = ReturnType<typeof dashboardBase>;

/** How often each dashboard is shared; filled in by the sharing module. */
export interface ShareCounts {
  count: (instanceId: Id<"instance">) => Promise<ReadonlyMap<string, number>>;
}

export function dashboardBase({ appDb, clock, realtime }: Pick<Deps, "appDb" | "clock" | "realtime">) {
  return {
    stamp: (ctx: Caller): store.Written => ({ by: authorName(ctx), now: clock.now().toISOString() }),

    async read(instanceId: Id<"instance">, id: string): Promise<store.StoredDashboard> {
      const dashboard = isId(id) ? await store.readDashboard(appDb, instanceId, id) : null;
      if (!dashboard) throw new AppError("not_found", { what: "Dashboard" });
      return dashboard;
    },

    async publishChange(
      ctx: Caller,
      id: string,
      action: "created" | "updated" | "deleted" | "published",
    ): Promise<void> {
      await realtime.publish(ctx.instanceId, insightsChanged, { kind: "dashboard", id, action });
    },
  };
}

/** Refuses what the dashboard's state does not allow, saying why. */
export function requireAllowed(dashboard: store.StoredDashboard, action: DashboardAction): void {
  if (dashboardAllows(dashboard, action)) return;
  if (dashboard.seeded || dashboard.isExample) throw new AppError("dashboard_seeded");
  if (action === "edit")
    throw new AppError("invalid_state", {
      reason: "A published dashboard is changed by its draft. Create a draft first.",
    });
  if (action === "publish" || action === "publishChanges" || action === "deleteDraft")
    throw new AppError("dashboard_has_no_draft");
  throw new AppError("invalid_state", { reason: "The state of this dashboard does not allow it." });
}

/** As the contract has it. */
export const withoutStamp = ({ updatedBy: _, ...dashboard }: store.StoredDashboard): Dashboard => dashboard;
