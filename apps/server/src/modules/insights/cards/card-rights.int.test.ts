/** Which permission each change of a card or dataset takes: refused without it, done with it. */
import type { Permission } from "@accord/contracts";
import { createDataCard, getDataCard, listDataCards, updateDataCard } from "@accord/contracts/insights/cards";
import { getDashboard, updateDashboard } from "@accord/contracts/insights/dashboards";
import { getDataset, updateDataset } from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import { columnCard, makeCard, makeDashboard, makeDataset } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const READS: Permission[] = ["READ_INSIGHTS", "READ_DASHBOARD"];
const forbidden = { status: 403, body: { code: "forbidden" } };

test("[INS-118] a card is created by people with both permissions of cards; one of the two is refused", async () => {
  const configuration = columnCard(await makeDataset(t, t));
  const body = () => ({ displayName: "Amounts", name: `c${t.deps.newId()}`, contents: { configuration } });
  for (const only of ["CREATE_DATACARD", "UPDATE_DATACARD"] as const)
    expect(await t.as([...READS, only]).send(createDataCard, { body: body() })).toMatchObject(forbidden);
  const both = t.as([...READS, "CREATE_DATACARD", "UPDATE_DATACARD"]);
  expect(await both.call(createDataCard, { body: body() })).toMatchObject({ displayName: "Amounts" });
});

test("[INS-119] a card is changed by people with UPDATE_DATACARD, and stays as it was for others", async () => {
  const cardId = await makeCard(t, t);
  const params = { id: cardId };
  const { contents, version } = await t.as(READS).call(getDataCard, { params });
  const change = { params, body: { displayName: "Changed", contents, version } };
  const others: Permission[] = [...READS, "CREATE_DATACARD", "VIEW_DATACARD", "UPDATE_DATASET"];
  expect(await t.as(others).send(updateDataCard, change)).toMatchObject(forbidden);
  expect((await t.as(READS).call(getDataCard, { params })).displayName).toBe("Amounts");
  await t.as([...READS, "UPDATE_DATACARD"]).call(updateDataCard, change);
  expect((await t.as(READS).call(getDataCard, { params })).displayName).toBe("Changed");
});

test("[INS-120] the list of data cards is read by people with VIEW_DATACARD only", async () => {
  const cardId = await makeCard(t, t);
  const others: Permission[] = [...READS, "CREATE_DATACARD", "UPDATE_DATACARD"];
  expect(await t.as(others).send(listDataCards)).toMatchObject(forbidden);
  const { dataCards } = await t.as([...READS, "VIEW_DATACARD"]).call(listDataCards);
  expect(dataCards.map(({ id }) => id)).toContain(cardId);
});

test("[INS-121] a dataset is changed by people with UPDATE_DATASET, and stays as it was for others", async () => {
  const params = { id: await makeDataset(t, t) };
  const read = async () => (await t.as(READS).call(getDataset, { params })).dataset;
  const { datasetConfig, version } = await read();
  const change = { params, body: { displayName: "Changed", datasetConfig, version } };
  const others: Permission[] = [...READS, "CREATE_DATASET", "UPDATE_DATACARD"];
  expect(await t.as(others).send(updateDataset, change)).toMatchObject(forbidden);
  expect((await read()).displayName).toBe("Deals");
  await t.as([...READS, "UPDATE_DATASET"]).call(updateDataset, change);
  expect((await read()).displayName).toBe("Changed");
});

test("[INS-050] where cards stand and how large they are is kept as a list of ids and layouts", async () => {
  const [first, second] = [await makeCard(t, t), await makeCard(t, t)];
  const params = { id: await makeDashboard(t, t, [first, second]) };
  const editor = t.as("SYNC_MANAGER");
  const { dashboard } = await editor.call(getDashboard, { params });
  const { displayName, version } = dashboard;
  const moved = [
    { id: first, layout: { i: first, x: 0, y: 3, w: 6, h: 4 } },
    { id: second, layout: { i: second, x: 0, y: 0, w: 5, h: 3 } },
  ];
  await editor.call(updateDashboard, { params, body: { displayName, version, dataCards: moved } });
  expect((await editor.call(getDashboard, { params })).dashboard.dataCards).toEqual(moved);
  const outside = [{ id: first, layout: { i: first, x: 12, y: 0, w: 6, h: 4 } }];
  const body = { displayName, version: version + 1, dataCards: outside };
  expect(await editor.send(updateDashboard, { params, body })).toMatchObject({ status: 400 });
  expect((await editor.call(getDashboard, { params })).dashboard.dataCards).toEqual(moved);
});
