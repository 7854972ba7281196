/** Filters by marks of people outside: what they are shown, and nothing more. */
import type { Id } from "@accord/contracts";
import type { CrossFilter, FilterMark } from "@accord/contracts/insights/cross-filter";
import { dashboardCardData } from "@accord/contracts/insights/dashboards";
import { encodeEmail, getSharedCardData, openSharedDashboard } from "@accord/contracts/insights/sharing";
import { expect, test } from "vitest";
import { makeCaller } from "../../../../test-kit/caller.ts";
import { makeCard, makeDataset, makeDeals, makePublished, makeShare } from "../../../../test-kit/fixtures/insights.ts";
import { shareCookieName } from "../../../platform/http/request/session-cookie.ts";
import {
  t,
  entityId,
  datasetId,
  entry,
  COUNT,
  TOTAL,
  FIELDS,
  group,
  filterBy,
  byHand,
  setUp,
} from "./fixtures/cross-filters.ts";

setUp();

/** A browser of somebody outside, to whom the dashboard is shared. */
async function guestOf(id: Id<"dashboard">) {
  const { share, password } = await makeShare(t, t, id);
  const name = shareCookieName(t.deps.config.baseUrl);
  const body = { email: encodeEmail(share.email), dashboardId: id, secret: password! };
  const cookie = (await t.anonymous.send(openSharedDashboard, { body })).cookies.get(name)!;
  return makeCaller({ http: t.app.http, cookies: { [name]: cookie }, token: t.forgery.token(null) });
}

test("people outside filter by what the cards show them: locked variables hold, and other values reveal nothing", async () => {
  const least = {
    ...{ apiName: "least", displayName: "least", datatype: "integer" as const, updatable: false },
    variableDefaultValue: { datatype: "integer" as const, defaultValue: 2 },
  };
  const filter = {
    ...{ type: "condition" as const, left: { kind: "field" as const, field: "pieces" } },
    ...{ operator: "greaterOrEqual" as const, right: [{ kind: "variable" as const, apiName: "least" }] },
  };
  const locked = await makeDataset(t, t, { selectedFields: FIELDS, variables: [least], filter }, entityId);
  const shown = await makeCard(t, t, locked, { xaxis: entry("pieces"), yaxis: [COUNT] });
  const [total, whole] = [await makeCard(t, t, locked, TOTAL), await makeCard(t, t, datasetId, TOTAL)];
  const id = await makePublished(t, t, [shown, total, whole]);
  const guest = await guestOf(id);
  const ask = async (cardId: Id<"dataCard">, mark: FilterMark, variablesMap = {}) => {
    const { data, unfiltered } = await guest.call(getSharedCardData, {
      params: { dashboardId: id, cardId },
      body: { variablesMap, filters: [filterBy(shown, mark)] },
    });
    return { count: Number(data.rows[0]?.["c0"]), reasons: unfiltered.map(({ reason }) => reason) };
  };
  expect(await ask(total, [group("x", ["3"])])).toEqual({ count: await byHand("pieces = 3"), reasons: [] });
  expect(await ask(whole, [group("x", ["3"])])).toEqual({ count: await byHand("pieces = 3"), reasons: [] });
  // One piece is below what the locked variable lets through: the card does not show it.
  const hidden = [group("x", ["1"])];
  expect(await ask(whole, hidden)).toEqual({ count: await byHand("TRUE"), reasons: ["value_not_shown"] });
  expect(await ask(whole, hidden, { least: 0 })).toEqual({ count: await byHand("TRUE"), reasons: ["value_not_shown"] });
  expect(await ask(whole, [group("x", ["2", "3", "4"], true)])).toMatchObject({ reasons: ["value_not_shown"] });
  // Nobody who only looks may ask for more either; people who see the definitions may.
  const asStaff = async (who: "DASHBOARD_LIGHT_VIEWER" | "VIEWER") => {
    const body = { filters: [filterBy(shown, hidden)] };
    return (await t.as(who).call(dashboardCardData, { params: { id, cardId: whole }, body })).unfiltered.length;
  };
  expect([await asStaff("DASHBOARD_LIGHT_VIEWER"), await asStaff("VIEWER")]).toEqual([1, 0]);
});

test("people outside filter by marks of a card that is itself filtered, as they see it then", async () => {
  // Customers of two countries, of which the largest of the second is not the largest of all.
  const customers: [customer: string, country: number, orders: number][] = [
    ["Ada", 1, 5],
    ["Ben", 1, 2],
    ["Cas", 2, 3],
    ["Dee", 2, 1],
  ];
  const rows = customers.flatMap(([customer, country, orders]) =>
    Array.from({ length: orders }, (_, at) => [customer, `${at}`, country, "2026-01-31"]),
  );
  const orders = await makeDataset(t, t, { selectedFields: FIELDS }, await makeDeals(t, t, rows));
  const countries = await makeCard(t, t, orders, { xaxis: entry("pieces"), yaxis: [COUNT] });
  const largest = await makeCard(t, t, orders, { xaxis: entry("status"), yaxis: [COUNT], top: 1 });
  const days = await makeCard(t, t, orders, { xaxis: entry("day"), yaxis: [COUNT] });
  const total = await makeCard(t, t, orders, TOTAL);
  const id = await makePublished(t, t, [countries, largest, days, total]);
  const guest = await guestOf(id);
  const ask = async (...filters: CrossFilter[]) => {
    const { data, unfiltered } = await guest.call(getSharedCardData, {
      params: { dashboardId: id, cardId: total },
      body: { filters },
    });
    return { count: Number(data.rows[0]?.["c0"]), unfiltered };
  };
  const hidden = (cardId: Id<"dataCard">) => ({ cardId, reason: "value_not_shown", column: "" });
  const country = filterBy(countries, [group("x", ["2"])]);
  const customer = (name: string) => filterBy(largest, [group("x", [name])]);
  expect(await ask(country, customer("Cas"))).toEqual({ count: 3, unfiltered: [] });
  // One that is shown without any filter is no secret.
  expect(await ask(country, customer("Ada"))).toEqual({ count: 0, unfiltered: [] });
  // Neither what the filtered card adds up, nor what is only shown under a filter that is not there.
  expect(await ask(country, customer("Dee"))).toEqual({ count: 4, unfiltered: [hidden(largest)] });
  expect(await ask(customer("Cas"))).toEqual({ count: 11, unfiltered: [hidden(largest)] });
  expect(await ask(customer("Cas"), country)).toEqual({ count: 4, unfiltered: [hidden(largest)] });
  // A filter that is refused makes nothing shown; a third is seen under those before it.
  const unknown = filterBy(countries, [group("x", ["7"])]);
  expect(await ask(unknown, customer("Cas"))).toEqual({ count: 11, unfiltered: [hidden(countries), hidden(largest)] });
  const day = filterBy(days, [group("x", ["2026-01-31"])]);
  expect(await ask(country, day, customer("Cas"))).toEqual({ count: 3, unfiltered: [] });
  const others = filterBy(largest, [group("x", ["Cas"], true)]);
  expect(await ask(country, others)).toEqual({ count: 1, unfiltered: [] });
});
