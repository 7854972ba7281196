/** Lists that the product outside answers for the external view. */
import type { ServerResponse } from "node:http";
import { type Permission } from "@accord/contracts";
import * as api from "@accord/contracts/insights/external-view";
import { describe, expect, test } from "vitest";
import { t, product, configure, viewer, setUp } from "./fixtures/external-view.ts";

setUp();

describe("lists", () => {
  test("[INS-015] [INS-016] dashboards, datasets and data cards are listed for the person, a dataset with columns and rows", async () => {
    await configure();
    expect((await viewer().call(api.listExternalDashboards)).items).toEqual([
      {
        ...{ id: "sales/emea", name: "Sales in EMEA", description: "Orders by country" },
        updatedAt: "2026-05-01T10:00:00.000Z",
      },
      { id: "7", name: "Support", description: "", updatedAt: null },
    ]);
    expect((await viewer().call(api.listExternalDataCards)).items).toMatchObject([{ id: "kpi-1" }]);
    const params = { key: "orders" };
    expect(await viewer().call(api.getExternalDataset, { params })).toMatchObject({
      ...{
        name: "Orders",
        columns: [
          { name: "id", label: "id" },
          { name: "country", label: "Country" },
        ],
      },
    });
    const { rows } = await viewer().call(api.previewExternalDataset, { params });
    expect(rows).toEqual([
      ["9007199254740991", "Norway"],
      ["2", null],
    ]);
    expect(product.calls.every(({ claims }) => claims?.["instance"] === t.instanceId)).toBe(true);
    expect(await viewer().send(api.getExternalDataset, { params: { key: "gone" } })).toMatchObject({ status: 404 });
  });

  test("each list needs the permission of its own kind", async () => {
    await configure();
    const dashboardsOnly = t.as("DASHBOARD_LIGHT_VIEWER");
    expect((await dashboardsOnly.send(api.listExternalDashboards)).status).toBe(200);
    for (const endpoint of [api.listExternalDatasets, api.listExternalDataCards])
      expect((await t.as(["READ_DASHBOARD"]).send(endpoint)).status).toBe(403);
    const params = { key: "orders" };
    expect((await t.as(["READ_INSIGHTS"]).send(api.previewExternalDataset, { params })).status).toBe(403);
    for (const [view, permission] of [
      ["dataset", "READ_INSIGHTS"],
      ["datasetCopy", "CREATE_DATASET"],
      ["dataCard", "VIEW_DATACARD"],
    ] as const) {
      const query = { view, key: "1" };
      const others: Permission[] = permission === "CREATE_DATASET" ? ["READ_INSIGHTS"] : [];
      const refused = await t.as(["READ_DASHBOARD", ...others]).send(api.getExternalViewToken, { query });
      expect(refused).toMatchObject({ status: 403, body: { code: "forbidden", details: { permission } } });
      expect(
        (await t.as(["READ_DASHBOARD", "READ_INSIGHTS", permission]).send(api.getExternalViewToken, { query })).status,
      ).toBe(200);
    }
  });

  test("a page is no less guarded when it is named by its path", async () => {
    await configure();
    for (const [key, permission, others] of [
      ["datasets/orders", "READ_INSIGHTS", []],
      ["datasets/orders/copy", "CREATE_DATASET", ["READ_INSIGHTS"]],
      ["Datasets//orders/copy/", "CREATE_DATASET", ["READ_INSIGHTS"]],
      ["datacards/1", "VIEW_DATACARD", []],
    ] as const) {
      const query = { view: "path", key } as const;
      const refused = await t.as(["READ_DASHBOARD", ...others]).send(api.getExternalViewToken, { query });
      expect(refused).toMatchObject({ status: 403, body: { code: "forbidden", details: { permission } } });
      const allowed = t.as(["READ_DASHBOARD", ...others, permission]);
      expect((await allowed.send(api.getExternalViewToken, { query })).status).toBe(200);
    }
    for (const key of ["", "dashboards/7", "boards/orders"])
      expect(
        (await t.as(["READ_DASHBOARD"]).send(api.getExternalViewToken, { query: { view: "path", key } })).status,
      ).toBe(200);
  });

  test("a product without lists is asked nothing", async () => {
    await configure({ listAddress: "" });
    expect(await viewer().call(api.listExternalDashboards)).toEqual({ items: [], isCut: false, isListed: false });
    expect((await viewer().send(api.getExternalDataset, { params: { key: "orders" } })).status).toBe(404);
    expect(product.calls).toEqual([]);
  });

  test("more than can be shown is cut, and said", async () => {
    await configure();
    const items = Array.from({ length: api.EXTERNAL_VIEW_LIMITS.items + 1 }, (_, id) => ({ id, name: `D ${id}` }));
    product.answer = (response) => json(response, { items: [...items, { id: 0, name: "Twice" }] });
    const list = await viewer().call(api.listExternalDashboards);
    expect([list.items.length, list.isCut]).toEqual([api.EXTERNAL_VIEW_LIMITS.items, true]);
    product.answer = (response) =>
      json(response, { columns: [{ name: "a" }], rows: [["x".repeat(2_000)], [{ deep: [1] }], []] });
    const { rows } = await viewer().call(api.previewExternalDataset, { params: { key: "orders" } });
    expect(rows[0]?.[0]).toHaveLength(api.EXTERNAL_VIEW_LIMITS.cell);
    expect(rows.slice(1)).toEqual([['{"deep":[1]}'], [null]]);
  });

  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["an error", (response) => void response.writeHead(500).end("<h1>Oops</h1>"), /^It answered with status 500\.$/],
    ["a refusal in words", (response) => json(response, { message: "Not\nfor you" }, 403), /403: Not for you$/],
    ["a redirect", (response) => void response.writeHead(302, { location: "https://evil.example/" }).end(), /redirect/],
    ["no answer", () => {}, /did not answer within 10 seconds/],
    [
      "a flood",
      (response) => void response.writeHead(200).end("x".repeat(api.EXTERNAL_VIEW_LIMITS.answerBytes + 1)),
      /more than 2 MB/,
    ],
    ["a web page", (response) => void response.writeHead(200).end("<!doctype html>"), /is no JSON/],
    ["another form", (response) => json(response, { items: [{ id: "a" }] }), /at: items\.0\.name/],
    ["a list alone", (response) => json(response, []), /at: the answer as a whole/],
    ["a closed connection", (response) => void response.destroy(), /connection/],
  ])(
    "[INS-142] %s of the product is said in words",
    async (_, respond, words) => {
      await configure();
      product.answer = respond;
      const { status, body } = await viewer().send(api.listExternalDashboards);
      expect([status, body]).toMatchObject([
        422,
        {
          ...{ code: "access_error", message: "Lighthouse gives no access." },
          description: expect.stringMatching(words),
        },
      ]);
    },
    20_000,
  );

  test("[INS-142] an address that the operator did not allow is not called", async () => {
    await configure({ listAddress: "http://127.0.0.1:9/api" });
    expect(await viewer().send(api.listExternalDashboards)).toMatchObject({
      ...{ status: 422, body: { code: "access_error", description: expect.stringMatching(/ACCORD_OUTBOUND_ALLOW/) } },
    });
  });
});

const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
