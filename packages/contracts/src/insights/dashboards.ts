/** Dashboards: a published version, an optional draft, and cards on a grid. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id, ID_PATTERN } from "../ids.ts";
import { CardConfiguration, CardData } from "./cards.ts";
import { CrossFilters, Unfiltered } from "./cross-filter.ts";
import { DraftRevert, UnpublishedChange } from "./dashboard-changes.ts";
import { InsightsName } from "./datasets.ts";
import { Variable, VariableValues } from "./variables.ts";

/** The one dashboard listed while the Insights feature is off; exempt from the rule on ids. */
export const SAMPLE_DASHBOARD_ID = "sampleDash1";

export const GRID_COLUMNS = 12;

/** Where a card stands, in grid units; `i` is the card's id. */
export const CardLayout = z.strictObject({
  i: z.string().max(60),
  x: z
    .int()
    .min(0)
    .max(GRID_COLUMNS - 1),
  y: z.int().min(0).max(10_000),
  w: z.int().min(1).max(GRID_COLUMNS),
  h: z.int().min(1).max(40),
});
export type CardLayout = z.output<typeof CardLayout>;

/** A card on a dashboard, with the settings that hold on this dashboard alone. */
export const DashboardCard = z.strictObject({
  id: id("dataCard"),
  layout: CardLayout,
  variablesMap: VariableValues.optional(),
});
export type DashboardCard = z.output<typeof DashboardCard>;

/** One control that drives the variables of several cards. */
export const DashboardVariable = z.strictObject({
  variable: Variable,
  /** Card id → api name of the variable it sets there. */
  mappings: z.array(z.strictObject({ dataCardId: id("dataCard"), apiName: z.string().max(60) })).max(200),
});
export type DashboardVariable = z.output<typeof DashboardVariable>;

const DashboardId = z.string().refine((text) => ID_PATTERN.test(text) || text === SAMPLE_DASHBOARD_ID, {
  message: "must be an id: 24 characters, 0-9 and a-f",
});

export const Dashboard = z.strictObject({
  id: DashboardId,
  displayName: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  dataCards: z.array(DashboardCard),
  variables: z.array(DashboardVariable),
  draftStatus: z.enum(["NEW", "APPROVED"]),
  /** Id of the draft of this published dashboard. */
  draft: z.string().nullable(),
  /** Id of the published dashboard this draft belongs to; null when it was never published. */
  parentId: z.string().nullable(),
  seeded: z.boolean(),
  isExample: z.boolean(),
  version: z.int(),
  createdBy: z.string(),
  updatedAt: z.iso.datetime(),
});
export type Dashboard = z.output<typeof Dashboard>;

export const DashboardSummary = z.strictObject({
  id: DashboardId,
  displayName: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  cards: z.int(),
  /** Types of its cards in reading order, for the small picture in the list. */
  layout: z.array(z.strictObject({ vizType: z.string(), x: z.int(), y: z.int(), w: z.int(), h: z.int() })),
  draftStatus: z.enum(["NEW", "APPROVED"]),
  draft: z.string().nullable(),
  seeded: z.boolean(),
  isExample: z.boolean(),
  shares: z.int(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string(),
});
export type DashboardSummary = z.infer<typeof DashboardSummary>;

export const DASHBOARD_CATEGORIES = ["all", "published", "draft", "shared", "example"] as const;

const Words = {
  displayName: z.string().trim().min(1, "must not be empty").max(120),
  description: z.string().max(1_000).default(""),
  tags: z.array(z.string().trim().min(1).max(50)).max(20).default([]),
};
const Params = z.strictObject({ id: id("dashboard") });
const Cards = z.array(DashboardCard).max(200);

export const listDashboards = endpoint({
  name: "listDashboards",
  method: "GET",
  path: "/dashboards",
  access: "READ_DASHBOARD",
  scope: "instance",
  summary: "Lists the dashboards; a published one stands for its draft too. Drafts are for people with READ_INSIGHTS.",
  query: z.strictObject({ category: z.enum(DASHBOARD_CATEGORIES).default("all") }),
  reply: z.strictObject({
    dashboards: z.array(DashboardSummary),
    lastVisited: z.string().nullable(),
    /** Whether the feature Insights is on; while it is off, one sample is listed and every other call refused. */
    available: z.boolean(),
  }),
});

export const getDashboard = endpoint({
  name: "getDashboard",
  method: "GET",
  path: "/dashboards/:id",
  access: "READ_DASHBOARD",
  scope: "instance",
  summary: "One dashboard with what its cards need to be drawn: published, or a draft for people with READ_INSIGHTS.",
  params: Params,
  reply: z.strictObject({
    dashboard: Dashboard,
    cards: z.array(
      z.strictObject({
        id: id("dataCard"),
        displayName: z.string(),
        description: z.string(),
        configuration: CardConfiguration,
        variables: z.array(Variable),
      }),
    ),
    /** What publishing the draft, or the published dashboard again, would change. Empty without READ_INSIGHTS. */
    unpublishedChanges: z.array(UnpublishedChange),
    /** Of the draft of a published dashboard: what deleting it sets back. Empty without READ_INSIGHTS. */
    reverts: z.array(DraftRevert),
  }),
});

export const visitDashboard = endpoint({
  name: "visitDashboard",
  method: "POST",
  path: "/dashboards/:id/visit",
  access: "READ_DASHBOARD",
  scope: "instance",
  summary: "Remembers a dashboard as the one you last looked at.",
  params: Params,
  body: z.strictObject({}),
  reply: z.strictObject({}),
});

/** Cards of a dashboard answer through it, so that whoever may see the dashboard sees its cards and no others. */
export const dashboardCardData = endpoint({
  name: "dashboardCardData",
  method: "POST",
  path: "/dashboards/:id/cards/:cardId/data",
  access: "READ_DASHBOARD",
  scope: "instance",
  summary: "The data of one card as a dashboard shows it. Without READ_INSIGHTS only updatable variables are taken.",
  params: z.strictObject({ id: id("dashboard"), cardId: id("dataCard") }),
  body: z.strictObject({
    variablesMap: VariableValues.default({}),
    /** Of marks of the other cards. */
    filters: CrossFilters.default([]),
    /** Works it out again instead of answering from the cache. */
    refresh: z.boolean().default(false),
  }),
  reply: z.strictObject({ data: CardData, unfiltered: z.array(Unfiltered) }),
  errors: ["dataset_invalid", "validation_failed", "query_timeout"],
});

export const createDashboard = endpoint({
  name: "createDashboard",
  method: "POST",
  path: "/dashboards",
  access: "CREATE_DASHBOARD",
  scope: "instance",
  summary: "Creates a dashboard as a draft that was never published.",
  creates: true,
  body: z.strictObject({ ...Words, name: InsightsName, dataCards: Cards.default([]) }),
  reply: Dashboard,
  errors: ["name_taken", "data_card_on_dashboard"],
});

export const updateDashboard = endpoint({
  name: "updateDashboard",
  method: "PUT",
  path: "/dashboards/:id",
  access: "UPDATE_DASHBOARD",
  scope: "instance",
  summary: "Changes a draft: its words, cards, layout and variables. The name stays.",
  params: Params,
  body: z.strictObject({
    ...Words,
    name: z.string().optional(),
    dataCards: Cards,
    variables: z.array(DashboardVariable).max(50).default([]),
    version: z.int(),
  }),
  reply: Dashboard,
  errors: ["stale_version", "data_card_on_dashboard", "dashboard_seeded", "invalid_state"],
});

export const createDashboardDraft = endpoint({
  name: "createDashboardDraft",
  method: "POST",
  path: "/dashboards/:id/draft",
  access: "UPDATE_DASHBOARD",
  scope: "instance",
  summary: "Makes a draft of a published dashboard, or answers the one there is.",
  params: Params,
  body: z.strictObject({}),
  reply: Dashboard,
  errors: ["dashboard_seeded"],
});

export const publishDashboard = endpoint({
  name: "publishDashboard",
  method: "POST",
  path: "/dashboards/:id/publish",
  access: "PUBLISH_DASHBOARD",
  scope: "instance",
  summary:
    "Puts a draft in the place of the published dashboard, with its cards and datasets as they are now. Without a draft it publishes what changed of them.",
  params: Params,
  body: z.strictObject({}),
  reply: Dashboard,
  errors: ["dashboard_has_no_draft"],
});

export const deleteDashboard = endpoint({
  name: "deleteDashboard",
  method: "DELETE",
  path: "/dashboards/:id",
  access: "DELETE_DASHBOARD",
  scope: "instance",
  summary: "Deletes a published dashboard; its draft stays as one that was never published.",
  params: Params,
  reply: z.strictObject({ draft: z.string().nullable() }),
  errors: ["dashboard_seeded"],
});

export const deleteDashboardDraft = endpoint({
  name: "deleteDashboardDraft",
  method: "DELETE",
  path: "/dashboards/:id/draft",
  access: "DELETE_DASHBOARD",
  scope: "instance",
  summary:
    "Deletes a draft, by its own id or its published dashboard's. Its cards and datasets become what is published again, except those that other dashboards need as they are now.",
  params: Params,
  /** `keepDefinitions`: cards and datasets stay as they are now. */
  query: z.strictObject({ keepDefinitions: z.stringbool().default(false) }),
  reply: z.strictObject({ parentId: z.string().nullable(), reverted: z.int() }),
  errors: ["dashboard_has_no_draft"],
});

/** The card's settings on this dashboard alone; other dashboards keep theirs. */
export const applyDataCardSettings = endpoint({
  name: "applyDataCardSettings",
  method: "POST",
  path: "/dashboards/datacard-settings",
  access: "UPDATE_DASHBOARD",
  scope: "instance",
  summary: "Sets variables of one card on one dashboard; those not named keep their values.",
  body: z.strictObject({ dashboardId: id("dashboard"), dataCardId: id("dataCard"), configuration: VariableValues }),
  reply: Dashboard,
  errors: ["dashboard_seeded", "invalid_state", "validation_failed"],
});

export const insightsChanged = event({
  name: "insightsChanged",
  channel: "instance",
  access: "READ_DASHBOARD",
  payload: z.strictObject({
    kind: z.enum(["dataset", "dataCard", "dashboard", "share", "allowedDomain"]),
    id: z.string(),
    action: z.enum(["created", "updated", "deleted", "published"]),
  }),
});
