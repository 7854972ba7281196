/** Insights as a whole: datasets, cards, dashboards and sharing on one analytics engine. */
import type { Deps } from "../../platform/deps.ts";
import type { Module } from "../../platform/module.ts";
import type { SchemaService } from "../data/schema/index.ts";
import type { AuditLog } from "../operations/audit/index.ts";
import type { NotificationsService } from "../operations/notifications/index.ts";
import { alertsModule } from "./alerts/index.ts";
import { requireInsights, whileEnabled } from "./availability.ts";
import { type AssistantProvider, cardAssistantModule } from "./card-assistant/index.ts";
import { cardsModule, type CardsService } from "./cards/index.ts";
import { dashboardsModule, type DashboardsService } from "./dashboards/index.ts";
import { datasetsModule, type DatasetsService } from "./datasets/index.ts";
import { externalViewModule, type SwitchableFeatures } from "./external-view/index.ts";
import { mirrorModule } from "./mirror-module.ts";
import { sharingModule } from "./sharing/index.ts";

export interface Insights {
  modules: Module[];
  datasets: DatasetsService;
  cards: CardsService;
  dashboards: DashboardsService;
}

const ENGINE = {
  timeoutMs: 30_000,
  parallel: 4,
  parallelPerInstance: 3,
  waiting: 200,
  workMemMb: 64,
  maxBytes: 10_000_000,
  allowsSql: true,
};

export function insightsModules(
  deps: Deps,
  needs: {
    schema: SchemaService;
    features: SwitchableFeatures;
    audit: AuditLog;
    notify: NotificationsService["notify"];
    notifications: NotificationsService;
    /** Who answers questions for data cards. */
    assistant: AssistantProvider;
  },
): Insights {
  const mirror = mirrorModule(deps, { ...ENGINE, allowsSql: deps.config.sqlMode, schema: needs.schema });
  const { engine } = mirror;
  const datasets = datasetsModule(deps, { ...needs, engine });
  const cards = cardsModule(deps, { datasets: datasets.service, engine });
  datasets.cardCounts.count = (at) => cards.service.countByDataset(at);
  const dashboards = dashboardsModule(deps, {
    ...needs,
    cards: cards.service,
    datasets: datasets.service,
    dashboardsOfCards: cards.dashboards,
  });
  datasets.dashboards.names = (at) => cards.dashboards.names(at);
  const alerts = alertsModule(deps, {
    ...needs,
    cards: cards.service,
    alertsOfCards: cards.alerts,
    isEnabled: (at) => needs.features.isEnabled(at, "Insights"),
  });
  const { features, assistant: provider } = needs;
  const parts = { provider, features, datasets: datasets.service, cards: cards.service };
  const assistant = cardAssistantModule(deps, parts);
  const sharing = sharingModule(deps, {
    dashboards: dashboards.service,
    view: dashboards.view,
    shareCounts: dashboards.shareCounts,
    requireInsights: requireInsights(needs.features),
    audit: needs.audit,
  });
  return {
    modules: [
      mirror,
      externalViewModule(deps, needs),
      ...[datasets, datasets.exports, cards, assistant, alerts, dashboards, sharing].map((module) =>
        whileEnabled(module, needs.features),
      ),
    ],
    datasets: datasets.service,
    cards: cards.service,
    dashboards: dashboards.service,
  };
}
