/** What publishing a dashboard would change, part by part. */
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { DashboardCard } from "@accord/contracts/insights/dashboards";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import { type DashboardContents, dashboardChanges, sameDataset } from "./dashboard-changes.ts";

const ids = { card: "00000000000000000000000a", other: "00000000000000000000000b", set: "00000000000000000000000c" };

const placed = (id: string, x = 0, w = 4, variablesMap?: Record<string, string>) =>
  DashboardCard.parse({ id, layout: { i: id, x, y: 0, w, h: 2 }, ...(variablesMap ? { variablesMap } : {}) });
const card = (id: string, more: object = {}, displayName = `Card ${id.slice(-1)}`) => ({
  id,
  displayName,
  description: "",
  configuration: CardConfiguration.parse({ vizType: "COLUMN", datasetId: ids.set, ...more }),
});
const column = (alias: string) => ({
  ...{ alias, displayName: alias.toUpperCase(), apiName: alias },
  ...{ dataType: "string", datasourceAlias: "deals" },
});
const dataset = (more: object = {}) => ({
  id: ids.set,
  name: "deals",
  displayName: "Deals",
  config: DatasetConfig.parse({ selectedFields: [column("a"), column("b")], ...more }),
});
const board = (more: Partial<DashboardContents> = {}, dataCards = [placed(ids.card)]): DashboardContents => ({
  dashboard: { id: "d", displayName: "Sales", description: "", tags: [], variables: [], dataCards },
  cards: [card(ids.card)],
  datasets: [dataset()],
  ...more,
});

test("a draft equal to what is published has no changes, whatever the order of keys", () => {
  expect(dashboardChanges(board(), board())).toEqual([]);
  const { configMode, ...rest } = dataset().config;
  expect(sameDataset(dataset(), { ...dataset(), config: { ...rest, configMode } })).toBe(true);
});

test("cards that came, went, moved, grew or got settings are named as such", () => {
  const after = board({ cards: [card(ids.card), card(ids.other)] }, [
    placed(ids.card, 4, 6, { top: "3" }),
    placed(ids.other),
  ]);
  expect(dashboardChanges(board(), after)).toMatchObject([
    { id: ids.card, change: "updated", parts: [{ part: "position" }, { part: "size" }, { part: "settings" }] },
    { id: ids.other, displayName: "Card b", change: "added" },
  ]);
  expect(dashboardChanges(board(), board({ cards: [] }, []))).toMatchObject([{ id: ids.card, change: "removed" }]);
  expect(dashboardChanges(board(), board({ cards: [] }))).toMatchObject([{ id: ids.card, change: "deleted" }]);
});

test("a changed card says what of it changed, by the names of its datasets", () => {
  const other = { ...dataset(), id: "00000000000000000000000d", displayName: "Orders" };
  const after = board({
    cards: [card(ids.card, { vizType: "BAR", datasetId: other.id, colorTheme: "ocean" }, "Deals by day")],
    datasets: [other],
  });
  expect(dashboardChanges(board(), after)).toEqual([
    {
      ...{ kind: "dataCard", id: ids.card, displayName: "Deals by day", change: "updated" },
      parts: [
        { part: "displayName", before: "Card a", after: "Deals by day" },
        { part: "vizType", before: "COLUMN", after: "BAR" },
        { part: "dataset", before: "Deals", after: "Orders" },
        { part: "appearance" },
      ],
    },
  ]);
});

test("a changed dataset names its columns, its variables and its limit", () => {
  const variable = { apiName: "top", displayName: "Top" };
  const before = board({ datasets: [dataset({ variables: [variable] })] });
  const after = board({
    datasets: [dataset({ selectedFields: [{ ...column("a"), displayName: "First" }, column("c")], limit: 5 })],
  });
  expect(dashboardChanges(before, after)).toMatchObject([
    {
      kind: "dataset",
      parts: [
        { part: "columnRemoved", name: "B" },
        { part: "columnChanged", name: "First" },
        { part: "columnAdded", name: "C" },
        { part: "limit", before: "", after: "5" },
        { part: "variableRemoved", name: "Top" },
      ],
    },
  ]);
});

test("every other setting of a dataset or a card counts as a change of it", () => {
  for (const more of [{ sql: "SELECT 1" }, { variablesMap: { left: "over" } }, { configMode: "SQL" }])
    expect(dashboardChanges(board(), board({ datasets: [dataset(more)] }))).toHaveLength(1);
  for (const more of [{ stacking: "normal" }, { stages: ["a"] }, { minimumValue: {} }, { labelVisible: true }])
    expect(dashboardChanges(board(), board({ cards: [card(ids.card, more)] }))).toHaveLength(1);
});
