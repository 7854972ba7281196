/** A dataset at its addresses: opened with all that it is made of, copied under a new name, or shown with its rows. */
import type { Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { DatasetConfig, type DataSourceField } from "@accord/contracts/insights/dataset-config";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { DatasetScreen } from "./dataset-screen.tsx";

const [BOARD, DATASET] = ["00000000000000000000000a", "00000000000000000000000b"];
const SOURCES = { deal: "00000000000000000000000c", owner: "00000000000000000000000d" };
const NOW = "2026-06-01T08:00:00.000Z";

const field = (alias: keyof typeof SOURCES, apiName: string, displayName: string, dataType: "string" | "decimal") => ({
  ...{ fieldId: `${alias}.${apiName}`, apiName, displayName, dataType, datasetId: SOURCES[alias] },
  ...{ datasetType: "ENTITY" as const, datasourceAlias: alias, fieldAlias: `${alias}.${apiName}` },
});
const FIELDS = {
  deal: [
    field("deal", "status", "Status", "string"),
    field("deal", "amount", "Amount", "decimal"),
    field("deal", "owner", "Owner", "string"),
  ],
  owner: [field("owner", "mail", "Mail", "string"), field("owner", "team", "Team", "string")],
} as const satisfies Record<string, readonly DataSourceField[]>;
const source = (alias: keyof typeof SOURCES) => ({
  ...{ datasetId: SOURCES[alias], datasetType: "ENTITY" as const, datasourceAlias: alias },
});
const side = (alias: keyof typeof SOURCES, apiName: string) => ({
  ...{ datasetId: SOURCES[alias], datasourceAlias: alias, apiName },
});
const config = DatasetConfig.parse({
  sources: [source("deal"), source("owner")],
  selectedFields: [
    { alias: "team", displayName: "Team", apiName: "team", dataType: "string", datasourceAlias: "owner" },
    {
      ...{ alias: "total", displayName: "Total", apiName: "amount", dataType: "decimal", datasourceAlias: "deal" },
      aggregate: "max",
    },
  ],
  calculatedFields: [
    { aliasName: "deals", displayName: "Deals", dataType: "integer", formula: "count()", aggregate: "sum" },
  ],
  joins: [{ joinType: "LEFT", field1: side("deal", "owner"), field2: side("owner", "mail") }],
  filter: {
    ...{ type: "group", combinator: "and" },
    children: [
      {
        ...{ type: "condition", left: { kind: "field", field: "deal.status" }, operator: "notEquals" },
        right: [{ kind: "literal", value: "Lost" }],
      },
    ],
  },
  ...{ group: true, groupBy: [{ datasetField: "team" }], limit: 25 },
  sort: [
    { field: "total", ascending: false },
    { field: "deals", ascending: true },
  ],
});
const ROWS = [
  { team: "North", total: 70, deals: 3 },
  { team: "South", total: 20, deals: 1 },
];
const columns = [
  { name: "team", displayName: "Team", dataType: "string" },
  { name: "total", displayName: "Total", dataType: "decimal" },
  { name: "deals", displayName: "Deals", dataType: "integer" },
];
const dataset = {
  ...{ id: DATASET, displayName: "Teams", name: "teams", description: "By what they sell", tags: ["sales"] },
  ...{ datasetConfig: config, version: 4, updatedAt: NOW },
};

const network = globalThis.fetch;
let writes: { call: string; body: unknown }[];
function answer(call: string, query: string, body: Record<string, unknown>): Response {
  if (/^(POST|PUT) \/datasets(\/[0-9a-f]{24})?$/.test(call)) {
    writes.push({ call, body });
    return Response.json(dataset);
  }
  if (call === `GET /datasets/${DATASET}`) return Response.json({ dataset, columns, problems: [] });
  if (call === "GET /datasets/fields") {
    const alias = new URLSearchParams(query).get("alias") === "owner" ? "owner" : "deal";
    return Response.json({ dataSourceFields: FIELDS[alias], dataSourceAlias: alias });
  }
  if (call === "GET /datasets/functions") return Response.json({ functions: [] });
  if (call === "POST /datasets/join-suggestions") return Response.json({ suggestions: [] });
  if (call === "GET /datasets") return Response.json({ datasets: [], entities: [] });
  if (call === "POST /datasets/preview")
    return Response.json({ columns, rows: ROWS, truncated: false, asOf: NOW, sql: "SELECT" });
  if (call.endsWith("/dependencies")) return Response.json({ dependencies: [], publishedOn: [] });
  return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
}
beforeEach(async () => {
  await page.viewport(1280, 900);
  writes = [];
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    const [path = "", query = ""] = call.split("?");
    return answer(
      `${init?.method ?? "GET"} ${path}`,
      query,
      typeof init?.body === "string" ? JSON.parse(init.body) : {},
    );
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  await page.viewport(414, 896);
});

const AT = "/insights-studio/$dashboardId/$version";
function open(mode: "" | "/copy" | "/preview", ...permissions: Permission[]) {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", orgName: "Org", permissions });
  const screens = {
    [AT]: () => <h1>The dashboard</h1>,
    [`${AT}/dataset/$datasetId`]: DatasetScreen,
    [`${AT}/dataset/$datasetId/$mode`]: DatasetScreen,
  };
  return showScreens(screens, `/insights-studio/${BOARD}/draft/dataset/${DATASET}${mode}`);
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const box = (name: string) => page.getByRole("textbox", { name, exact: true });
const nameBox = page.getByRole("textbox", { name: "Display name" });
const select = (name: string) => page.getByRole("combobox", { name, exact: true });
const check = (name: string) => page.getByRole("checkbox", { name, exact: true });

/** All parts of the dataset are in its form. */
async function expectPrefilled(): Promise<void> {
  for (const [alias, chosen] of [
    ["deal", "1 / 3"],
    ["owner", "1 / 2"],
  ] as const)
    await expect.element(page.getByRole("group", { name: new RegExp(`^${alias}`) }).getByText(chosen)).toBeVisible();
  for (const name of ["Amount", "Team"]) await expect.element(check(name)).toBeChecked();
  for (const name of ["Status", "Owner", "Mail"]) await expect.element(check(name)).not.toBeChecked();
  await expect.element(select("First field of the join: deal.owner")).toHaveValue("deal.Owner");
  await expect.element(select("Second field of the join: owner.mail")).toHaveValue("owner.Mail");
  await expect.element(select("Join")).toHaveValue("All rows of the first");
  await expect.element(box("Shown as: total")).toHaveValue("Total");
  await expect.element(select("Formula")).toHaveValue("count()");
  const filter = page.getByRole("group", { name: "Filter", exact: true });
  await expect.element(filter.getByRole("combobox", { name: "Field" })).toHaveValue("Status");
  await expect.element(filter.getByRole("combobox", { name: "Comparison" })).toHaveValue("does not equal");
  await expect.element(filter.getByRole("textbox").last()).toHaveValue("Lost");
  await expect.element(page.getByRole("switch", { name: "Group rows" })).toBeChecked();
  await expect.element(select("Aggregate: Team")).toHaveValue("Grouped by");
  await expect.element(select("Aggregate: Total")).toHaveValue("Maximum");
  await expect.element(select("Sort").first()).toHaveValue("Total");
  await expect.element(select("Sort").last()).toHaveValue("Deals");
  const orders = page.getByRole("radio", { name: "Descending" });
  await expect.element(orders.first()).toBeChecked();
  await expect.element(orders.last()).not.toBeChecked();
  await expect.element(box("Limit")).toHaveValue("25");
}

test("[INS-011] a dataset opens with its sources, fields, joins, filter, groups, order and limit, and is saved as they are", async () => {
  open("", "UPDATE_DATASET");
  await expect.element(nameBox).toHaveValue("Teams");
  await expect.element(box("Description")).toHaveValue("By what they sell");
  await expectPrefilled();
  await button("Save dataset").click();
  await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
  const { displayName, description, tags, version } = dataset;
  expect(writes).toMatchObject([
    {
      call: `PUT /datasets/${DATASET}`,
      body: { displayName, description, tags, version, datasetConfig: JSON.parse(JSON.stringify(config)) },
    },
  ]);
});

test("[INS-012] a copy begins as the dataset is, and is saved as another one under its own name", async () => {
  open("/copy", "CREATE_DATASET");
  await expect.element(page.getByRole("heading", { name: "Copy dataset" })).toBeVisible();
  await expect.element(nameBox).toHaveValue("Teams 2");
  await expectPrefilled();
  await nameBox.fill("Teams of the north");
  await button("Save dataset").click();
  await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
  expect(writes).toMatchObject([
    {
      call: "POST /datasets",
      body: {
        ...{ displayName: "Teams of the north", name: "teams_of_the_north" },
        datasetConfig: JSON.parse(JSON.stringify(config)),
      },
    },
  ]);
});

test("[INS-012] a preview shows the rows of the dataset, to people who may not change it as well", async () => {
  const router = open("/preview", "READ_INSIGHTS", "PREVIEW_DATACARD");
  await expect.element(page.getByRole("heading", { name: "Teams" })).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "North" })).toBeVisible();
  const rows = page
    .getByRole("row")
    .elements()
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows).toEqual([
    ["Team", "Total", "Deals"],
    ["North", "70", "3"],
    ["South", "20", "1"],
  ]);
  expect(page.getByRole("textbox").query()).toBeNull();
  expect(page.getByRole("link", { name: "Edit dataset" }).query()).toBeNull();
  await page.getByRole("link", { name: "Close" }).click();
  expect(router.state.location.pathname).toBe(`/insights-studio/${BOARD}/draft`);

  open("/preview", "READ_INSIGHTS", "PREVIEW_DATACARD", "UPDATE_DATASET");
  await page.getByRole("link", { name: "Edit dataset" }).click();
  await expect.element(nameBox).toHaveValue("Teams");
  open("/preview", "READ_INSIGHTS");
  await expect.element(page.getByText("You don't have access to this")).toBeVisible();
  expect(writes).toEqual([]);
});
