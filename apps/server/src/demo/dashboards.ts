/** The demo's two dashboards: accounts in agreement between Billing and the CRM, and three months of flights. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { SchemaService } from "../modules/data/schema/index.ts";
import type { Insights } from "../modules/insights/index.ts";
import type { Caller } from "../platform/ctx.ts";
import type { DemoPlace, DemoStep } from "./index.ts";

interface Services {
  schema: Pick<SchemaService, "findEntity">;
  insights: Pick<Insights, "datasets" | "cards" | "dashboards">;
}

interface Tile {
  displayName: string;
  description?: string;
  card: CardConfigurationInput;
  /** Stands on a dataset of its own: how often each value of this field occurs, the most frequent ones. */
  most?: { field: string; rows: number };
  /** x, y, width, height on the grid. */
  place: readonly [number, number, number, number];
}

interface Board {
  name: string;
  displayName: string;
  description: string;
  entity: string;
  dataset: { displayName: string; description: string };
  tiles: readonly Tile[];
}

const text = (column: string, displayName: string) => ({
  column,
  name: column,
  displayName,
  displayFormat: "text" as const,
});
const number = (column: string, displayName: string, aggregate: "sum" | "avg" | "countDistinct" = "sum") => ({
  column,
  name: column,
  displayName,
  displayFormat: "number" as const,
  aggregate,
});
const count = (displayName: string) => ({ column: "*", name: "count", displayName, displayFormat: "number" as const });
const byMonth = (column: string, displayName: string) => ({ ...text(column, displayName), grain: "month" as const });

const ACCOUNTS: Board = {
  name: "accounts_in_agreement",
  displayName: "Accounts in agreement",
  description: "Every customer once: what Billing and the CRM say together.",
  entity: "Account",
  dataset: { displayName: "Accounts", description: "All accounts that Billing and the CRM agree on." },
  tiles: [
    {
      displayName: "Accounts",
      place: [0, 0, 3, 1],
      card: { vizType: "METRIC", columns: [{ ...count("in both systems together") }] },
    },
    {
      displayName: "Countries",
      place: [3, 0, 3, 1],
      card: { vizType: "METRIC", columns: [number("billingCountry", "with customers", "countDistinct")] },
    },
    {
      displayName: "Annual revenue",
      place: [6, 0, 3, 1],
      card: {
        vizType: "METRIC",
        columns: [{ ...number("annualRevenue", "average per account", "avg"), displayFormat: "currency" }],
      },
    },
    {
      displayName: "Employees",
      place: [9, 0, 3, 1],
      card: { vizType: "METRIC", columns: [number("employeeCount", "average per account", "avg")] },
    },
    {
      displayName: "New customers",
      description: "By the month they became customers.",
      place: [0, 1, 8, 3],
      card: { vizType: "LINE", xaxis: byMonth("customerSince", "Customer since"), yaxis: [count("New customers")] },
    },
    {
      displayName: "Status",
      place: [8, 1, 4, 3],
      card: { vizType: "PIE", legendPosition: "RIGHT", category: text("status", "Status"), value: count("Accounts") },
    },
    {
      displayName: "Accounts by country",
      place: [0, 4, 6, 3],
      card: { vizType: "COLUMN", xaxis: text("billingCountry", "Country"), yaxis: [count("Accounts")] },
    },
    {
      displayName: "Revenue by industry",
      place: [6, 4, 6, 3],
      card: {
        vizType: "BAR",
        xaxis: text("industry", "Industry"),
        yaxis: [{ ...number("annualRevenue", "Annual revenue"), displayFormat: "currency", color: "chart-2" }],
      },
    },
    {
      displayName: "Largest cities",
      place: [0, 7, 12, 3],
      card: {
        vizType: "TABLE",
        columns: [
          text("billingCity", "City"),
          text("billingCountry", "Country"),
          count("Accounts"),
          { ...number("annualRevenue", "Annual revenue"), displayFormat: "currency" },
          number("employeeCount", "Employees"),
        ],
      },
    },
  ],
};

const FLIGHTS: Board = {
  name: "flights",
  displayName: "Flights",
  description: "Departures of one quarter, read from files.",
  entity: "Flight",
  dataset: { displayName: "Flights", description: "Each departure once." },
  tiles: [
    { displayName: "Departures", place: [0, 0, 4, 1], card: { vizType: "METRIC", columns: [count("flights")] } },
    {
      displayName: "Delay",
      place: [4, 0, 4, 1],
      card: {
        vizType: "METRIC",
        columns: [number("delayMinutes", "minutes on average", "avg")],
        ranges: [
          { name: "on time", color: "positive", minimumValue: -60, maximumValue: 5 },
          { name: "minutes late on average", color: "warning", minimumValue: 5, maximumValue: 15 },
          { name: "minutes late on average", color: "negative", minimumValue: 15, maximumValue: 600 },
        ],
      },
    },
    {
      displayName: "Distance",
      place: [8, 0, 4, 1],
      card: { vizType: "METRIC", columns: [number("distanceMiles", "miles flown")] },
    },
    {
      displayName: "Departures by day",
      place: [0, 1, 12, 3],
      card: { vizType: "LINE", xaxis: { ...text("departedAt", "Day"), grain: "day" }, yaxis: [count("Departures")] },
    },
    {
      displayName: "Busiest airports",
      most: { field: "origin", rows: 15 },
      place: [0, 4, 6, 3],
      card: {
        vizType: "COLUMN",
        colorTheme: "ocean",
        xaxis: text("origin", "Airport"),
        yaxis: [number("records", "Departures")],
      },
    },
    {
      displayName: "Delay by week",
      description: "Average minutes of delay.",
      place: [6, 4, 6, 3],
      card: {
        vizType: "LINE",
        xaxis: { ...text("departedAt", "Week"), grain: "week" },
        yaxis: [{ ...number("delayMinutes", "Minutes of delay", "avg"), color: "chart-2" }],
      },
    },
  ],
};

/** Bears being run again after an interruption: a dashboard that is there is not made twice. */
export function dashboardsStep({ schema, insights }: Services): DemoStep {
  return {
    name: "dashboards",
    async make(place) {
      for (const board of [ACCOUNTS, FLIGHTS]) {
        const entity = await schema.findEntity(place.instanceId, board.entity);
        const made = (await insights.dashboards.readAll(place.instanceId)).some(({ name }) => name === board.name);
        if (entity && !made) await makeBoard(insights, place, board, entity);
      }
    },
  };
}

async function makeBoard(insights: Services["insights"], place: DemoPlace, board: Board, entity: CoreEntity) {
  const caller: Caller = { instanceId: place.instanceId, actor: place.actor, can: () => true };
  const datasetConfig = DatasetConfig.parse({
    sources: [{ datasetId: entity.id, datasetType: "ENTITY", datasourceAlias: board.entity.toLowerCase() }],
    selectedFields: entity.fields
      .filter((field) => field.dataType !== "password" && !field.isMultiValueField)
      .map(({ apiName, displayName, dataType }) => ({
        alias: apiName,
        displayName,
        apiName,
        dataType,
        datasourceAlias: board.entity.toLowerCase(),
      })),
  });
  // An interrupted run may have left parts behind: names carry a mark of this run.
  const mark =
    place.instanceId.slice(-4) + (await insights.datasets.list(caller, async () => new Map())).datasets.length;
  const dataset = await insights.datasets.create(caller, {
    ...board.dataset,
    name: `${board.name}_${mark}`,
    tags: ["demo"],
    datasetConfig,
  });
  const dataCards = [];
  for (const [
    at,
    {
      displayName,
      description = "",
      card,
      most,
      place: [x, y, w, h],
    },
  ] of board.tiles.entries()) {
    const name = `${board.name}_${at + 1}_${mark}`;
    const own = most
      ? await insights.datasets.create(caller, {
          displayName,
          description,
          tags: ["demo"],
          name,
          datasetConfig: mostFrequent(datasetConfig, most),
        })
      : dataset;
    const configuration = CardConfiguration.parse({ ...card, datasetId: own.id });
    const { id } = await insights.cards.create(caller, {
      displayName,
      description,
      tags: ["demo"],
      name,
      contents: { configuration },
    });
    dataCards.push({ id, layout: { i: id, x, y, w, h } });
  }
  const { displayName, description, name } = board;
  const { id } = await insights.dashboards.create(caller, {
    displayName,
    description,
    name,
    tags: ["demo"],
    dataCards,
  });
  await insights.dashboards.publish(caller, id);
}

/** Counts records by one field and keeps the largest counts, as column `records`. */
function mostFrequent(config: DatasetConfig, { field, rows }: { field: string; rows: number }): DatasetConfig {
  const grouped = config.selectedFields.filter(({ apiName }) => apiName === field);
  const counted = {
    ...grouped[0]!,
    alias: "records",
    displayName: "Records",
    apiName: "accord_id",
    aggregate: "count" as const,
  };
  return {
    ...config,
    selectedFields: [...grouped, counted],
    group: true,
    groupBy: [{ datasetField: field }],
    sort: [{ field: "records", ascending: false }],
    limit: rows,
  };
}
