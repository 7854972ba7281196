/** Marks of one card filter the others: the numbers equal SQL written by hand, for staff and for people outside. */
import type { Id } from "@accord/contracts";
import { getEntity } from "@accord/contracts/data/core-schema";
import { countRecords } from "@accord/contracts/data/records";
import type { CardConfigurationInput } from "@accord/contracts/insights/cards";
import type { CrossFilter, FilterMark } from "@accord/contracts/insights/cross-filter";
import { dashboardCardData } from "@accord/contracts/insights/dashboards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { dashboardMarkRecords } from "@accord/contracts/insights/mark-records";
import { encodeEmail, getSharedCardData, openSharedDashboard } from "@accord/contracts/insights/sharing";
import type { Value } from "@accord/contracts/data/values";
import { beforeAll, expect, test } from "vitest";
import { makeCaller } from "../../../../test-kit/caller.ts";
import {
  changeCard,
  columnCard,
  makeCard,
  makeDashboard,
  makeDataset,
  makeDeals,
  makePublished,
  makeShare,
} from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import { shareCookieName } from "../../../platform/http/request/session-cookie.ts";

let t: TestApp;
let entityId: Id<"entity">;
let datasetId: Id<"dataset">;
let table: string;

const MONTH_EDGES = [
  "2026-01-31T23:59:59.999Z",
  "2026-02-01T00:00:00Z",
  "2026-02-28T23:59:59Z",
  "2026-03-01T00:00:00Z",
];
const NAMES = ["open", "Open", "paid (all)", "", null, "lost"];
/** Sixty more names: beyond what a chart shows by itself. */
const ROWS = [
  ...Array.from({ length: 48 }, (_, at) => [
    NAMES[at % NAMES.length],
    `${(at % 7) * 10 + 0.5}`,
    at % 5 === 4 ? null : at % 5,
    at % 11 === 0 ? null : `2026-0${(at % 6) + 1}-${String((at % 27) + 1).padStart(2, "0")}`,
  ]),
  ...Array.from({ length: 60 }, (_, at) => [`rare ${at}`, "0.25", 1, "2026-01-31"]),
] as const;

const entry = (column: string, more = {}) => ({ column, name: column, displayFormat: "text" as const, ...more });
const COUNT = { column: "*", name: "*", displayFormat: "number" as const };
const TOTAL = { vizType: "METRIC", columns: [COUNT] } as const satisfies Partial<CardConfigurationInput>;
const field = (apiName: string) => ({
  ...{ alias: apiName, displayName: apiName, apiName, dataType: "string" as const, datasourceAlias: "deals" },
});
const FIELDS = ["status", "amount", "pieces", "day", "accord_created_at"].map(field);

beforeAll(async () => {
  t = await testApp();
  entityId = await makeDeals(t, t, ROWS);
  const { apiName } = await t.as("VIEWER").call(getEntity, { params: { entityId }, query: {} });
  table = `"${instanceSchema(t.instanceId)}"."r_${apiName}"`;
  await t.deps.dataPool.query(
    `UPDATE ${table} AS deals SET accord_created_at = ($1::timestamptz[])[1 + numbered.place % 4]
     FROM (SELECT accord_id, row_number() OVER (ORDER BY accord_id) AS place FROM ${table}) AS numbered
     WHERE numbered.accord_id = deals.accord_id`,
    [MONTH_EDGES],
  );
  datasetId = await makeDataset(t, t, { selectedFields: FIELDS }, entityId);
}, 60_000);

const group = (column: string, values: Value[], isOthers = false) => ({ column, values, isOthers });
const filterBy = (cardId: Id<"dataCard">, ...marks: FilterMark[]): CrossFilter => ({ cardId, marks });

const byHand = async (condition: string): Promise<number> => {
  const { rows } = await t.deps.dataPool.query<{ count: string }>(
    `SELECT count(*) FROM ${table} WHERE NOT accord_deleted AND ${condition}`,
  );
  return Number(rows[0]?.count);
};

interface Board {
  id: Id<"dashboard">;
  from: Id<"dataCard">;
  total: Id<"dataCard">;
}
/** A card to choose marks on, and one that counts what is left of a dataset. */
async function board(card: Partial<CardConfigurationInput>, counted: DatasetConfigInput | null = null): Promise<Board> {
  const other = counted ? await makeDataset(t, t, counted, entityId) : datasetId;
  const [from, total] = [await makeCard(t, t, datasetId, card), await makeCard(t, t, other, TOTAL)];
  return { id: await makePublished(t, t, [from, total]), from, total };
}

const dataOf = ({ id }: Board, cardId: Id<"dataCard">, filters: CrossFilter[] = []) =>
  t.as("VIEWER").call(dashboardCardData, { params: { id, cardId }, body: { filters } });

async function counted(at: Board, ...marks: FilterMark[]): Promise<number> {
  const { data, unfiltered } = await dataOf(at, at.total, [filterBy(at.from, ...marks)]);
  expect(unfiltered).toEqual([]);
  return Number(data.rows[0]?.["c0"]);
}

test("a category leaves the rows that SQL written by hand finds: letter by letter, empty text and blank apart", async () => {
  const at = await board({ xaxis: entry("status"), yaxis: [COUNT] });
  expect(await counted(at, [group("x", ["open"])])).toBe(await byHand("status = 'open'"));
  expect(await counted(at, [group("x", [""])])).toBe(await byHand("status = ''"));
  expect(await counted(at, [group("x", [null])])).toBe(await byHand("status IS NULL"));
  expect(await counted(at, [group("x", ["open"])], [group("x", [null])], [group("x", ["Open"])])).toBe(
    await byHand("status IN ('open', 'Open') OR status IS NULL"),
  );
  // The card itself keeps all its marks.
  const own = await dataOf(at, at.from, [filterBy(at.from, [group("x", ["open"])])]);
  expect(own.data.rows).toEqual((await dataOf(at, at.from)).data.rows);
});

test("“Other” leaves every row that no mark shows by itself, and adds up with one that is shown", async () => {
  const at = await board({ xaxis: entry("status"), yaxis: [COUNT] });
  const { data } = await dataOf(at, at.from);
  const shown = data.rows.filter(({ other }) => other !== true).map(({ x }) => x ?? null);
  const rest = data.rows.find(({ other }) => other === true);
  const texts = shown.flatMap((value) => (typeof value === "string" ? [`'${value}'`] : []));
  const others = `status IS NOT NULL AND status NOT IN (${texts.join(",")})`;
  expect(shown).toContain(null);
  expect(await counted(at, [group("x", shown, true)])).toBe(await byHand(others));
  expect(await counted(at, [group("x", shown, true)])).toBe(Number(rest?.["y0"]));
  expect(await counted(at, [group("x", shown, true)], [group("x", ["open"])])).toBe(
    await byHand(`(${others}) OR status = 'open'`),
  );
});

test("a period leaves its days, and its moments in the time zone that the card cuts them in", async () => {
  const days = await board({ vizType: "LINE", xaxis: entry("day", { grain: "quarter" }), yaxis: [COUNT] });
  expect(await counted(days, [group("x", ["2026-04-01"])])).toBe(
    await byHand("day >= '2026-04-01' AND day < '2026-07-01'"),
  );
  expect(await counted(days, [group("x", [null])])).toBe(await byHand("day IS NULL"));
  const moments = await board({
    ...{ vizType: "LINE", yaxis: [COUNT] },
    xaxis: entry("accord_created_at", { grain: "month" }),
  });
  expect(await counted(moments, [group("x", ["2026-02-01"])])).toBe(
    await byHand("accord_created_at >= '2026-02-01T00:00:00Z' AND accord_created_at < '2026-03-01T00:00:00Z'"),
  );
});

test("a moment that no card cuts is found by its milliseconds, which are all that an answer says of it", async () => {
  const fine = await makeDeals(t, t, [
    ["first", "1", 1, null],
    ["second", "1", 2, null],
  ]);
  const { apiName } = await t.as("VIEWER").call(getEntity, { params: { entityId: fine }, query: {} });
  await t.deps.dataPool.query(
    `UPDATE "${instanceSchema(t.instanceId)}"."r_${apiName}" SET accord_created_at = CASE pieces
       WHEN 1 THEN '2026-02-01T00:00:00.123456Z'::timestamptz ELSE '2026-02-01T00:00:00.124Z' END`,
  );
  const moments = await makeDataset(t, t, { selectedFields: FIELDS }, fine);
  const columns = [entry("accord_created_at"), entry("pieces")];
  const from = await makeCard(t, t, moments, { vizType: "TABLE", columns });
  const total = await makeCard(t, t, moments, TOTAL);
  const at = { id: await makePublished(t, t, [from, total]), from, total };
  const { rows } = (await dataOf(at, from)).data;
  expect(rows.map(({ c0 }) => c0)).toEqual(
    expect.arrayContaining(["2026-02-01T00:00:00.123Z", "2026-02-01T00:00:00.124Z"]),
  );
  for (const { c0 = null, c1 = null } of rows) {
    expect(await counted(at, [group("c0", [c0]), group("c1", [c1])])).toBe(1);
    expect(await counted(at, [group("c0", [c0])])).toBe(1);
  }
  // Whoever writes all digits means them.
  expect(await counted(at, [group("c0", ["2026-02-01T00:00:00.123456Z"])])).toBe(1);
  expect(await counted(at, [group("c0", ["2026-02-01T00:00:00.123455Z"])])).toBe(0);
});

test("a mark of a series filters by both dimensions, or by the one that was chosen; marks of both add up", async () => {
  const at = await board({ xaxis: entry("status"), series: [entry("pieces")], yaxis: [COUNT] });
  expect(await counted(at, [group("x", ["open"]), group("series", ["2"])])).toBe(
    await byHand("status = 'open' AND pieces = 2"),
  );
  expect(await counted(at, [group("series", ["2"])])).toBe(await byHand("pieces = 2"));
  expect(
    await counted(at, [group("x", ["open"]), group("series", [null])], [group("series", ["2"]), group("x", ["lost"])]),
  ).toBe(await byHand("(status = 'open' AND pieces IS NULL) OR (status = 'lost' AND pieces = 2)"));
});

test("cards on other datasets follow where the same field of the same entity is behind a column of theirs", async () => {
  const marks = [group("x", ["open"])];
  const renamed = { selectedFields: [{ ...field("status"), alias: "stage" }, field("pieces")] };
  expect(await counted(await board({}, renamed), marks)).toBe(await byHand("status = 'open'"));
  const limited = { selectedFields: [field("status")], sort: [{ field: "status" }], limit: 40 };
  expect(await counted(await board({}, limited), marks)).toBe(
    Number(
      (
        await t.deps.dataPool.query<{ count: string }>(
          `SELECT count(*) FROM (SELECT status FROM ${table} ORDER BY status NULLS FIRST LIMIT 40) AS first WHERE status = 'open'`,
        )
      ).rows[0]?.count,
    ),
  );
  const grouped = {
    selectedFields: [field("status"), { ...field("pieces"), aggregate: "max" as const }],
    ...{ group: true, groupBy: [{ datasetField: "status" }] },
  };
  expect(await counted(await board({}, grouped), marks)).toBe(1);
  const below = await makeDataset(t, t, { selectedFields: [field("status")] }, entityId);
  const built = {
    sources: [{ datasetId: below, datasetType: "DATASET" as const, datasourceAlias: "deals" }],
    selectedFields: [field("status")],
  };
  expect(await counted(await board({}, built), marks)).toBe(await byHand("status = 'open'"));
});

test("cards without the column, or with coarser dates, keep their rows and say why", async () => {
  const none = await board({}, { selectedFields: [field("pieces")] });
  const unfiltered = async (at: Board, mark: FilterMark) =>
    (await dataOf(at, at.total, [filterBy(at.from, mark)])).unfiltered;
  expect(await unfiltered(none, [group("x", ["open"])])).toEqual([
    { cardId: none.from, reason: "column_missing", column: "status" },
  ]);
  const all = await dataOf(none, none.total, [filterBy(none.from, [group("x", ["open"])])]);
  expect(Number(all.data.rows[0]?.["c0"])).toBe(await byHand("TRUE"));
  const quarters = {
    selectedFields: [field("day"), { ...field("pieces"), aggregate: "sum" as const }],
    ...{ group: true, groupBy: [{ datasetField: "day", grain: "quarter" as const }] },
  };
  const months = await board({ xaxis: entry("day", { grain: "month" }), yaxis: [COUNT] }, quarters);
  expect(await unfiltered(months, [group("x", ["2026-04-01"])])).toEqual([
    { cardId: months.from, reason: "dates_coarser", column: "day" },
  ]);
  const years = await board({ xaxis: entry("day", { grain: "year" }), yaxis: [COUNT] }, quarters);
  expect(await counted(years, [group("x", ["2026-01-01"])])).toBe(2);
});

test("columns that the card has not and values that its column can't hold restrict nothing, and it is said", async () => {
  const at = await board({ xaxis: entry("day", { grain: "month" }), series: [entry("pieces")], yaxis: [COUNT] });
  const all = await byHand("TRUE");
  for (const mark of [
    [group("x", ["2026-02-30"])],
    [group("x", ["'); DROP TABLE deals; --"])],
    [group("x", [null]), group("series", ["many"])],
    [group("series", [{ a: 1 }])],
    [group("y0", [1])],
  ] as FilterMark[]) {
    const { data, unfiltered } = await dataOf(at, at.total, [filterBy(at.from, mark)]);
    expect(unfiltered).toEqual([{ cardId: at.from, reason: "card_changed", column: "" }]);
    expect(Number(data.rows[0]?.["c0"])).toBe(all);
  }
});

test("a filter about cards that are not there, or of marks about several columns, is refused", async () => {
  const at = await board({ xaxis: entry("day", { grain: "month" }), series: [entry("pieces")], yaxis: [COUNT] });
  const error = async (filter: CrossFilter) => {
    const request = { params: { id: at.id, cardId: at.total }, body: { filters: [filter] } };
    const { status, body } = await t.as("VIEWER").send(dashboardCardData, request);
    return { status, ...(body as { code: string }) };
  };
  const elsewhere = await makeCard(t, t, datasetId);
  expect(await error(filterBy(elsewhere, [group("x", ["open"])]))).toMatchObject({ status: 404, code: "not_found" });
  const two = filterBy(at.from, [group("x", [null])], [group("series", [null])]);
  expect(await error(two)).toMatchObject({ status: 400, code: "validation_failed" });
});

test("a filter that was chosen before its card was changed leaves the other cards as they are, and says so", async () => {
  const again = { ...field("status"), alias: "again" };
  const both = await makeDataset(t, t, { selectedFields: [...FIELDS, again] }, entityId);
  const from = await makeCard(t, t, both, { xaxis: entry("status"), yaxis: [COUNT] });
  const total = await makeCard(t, t, both, TOTAL);
  const params = { id: await makeDashboard(t, t, [from, total]), cardId: total };
  const asked = async (chosen: { field?: string }) => {
    const body = { filters: [filterBy(from, [{ ...group("x", ["open"]), ...chosen }])] };
    const { data, unfiltered } = await t.as("SYNC_MANAGER").call(dashboardCardData, { params, body });
    return { count: Number(data.rows[0]?.["c0"]), reasons: unfiltered.map(({ reason }) => reason) };
  };
  const changeTo = async (column: string) =>
    changeCard(t, from, columnCard(both, { xaxis: entry(column), yaxis: [COUNT] }), (before) => before);
  const filtered = { count: await byHand("status = 'open'"), reasons: [] };
  const whole = { count: await byHand("TRUE"), reasons: ["card_changed"] };
  const chosen = { field: "status" };
  expect([await asked({}), await asked(chosen)]).toEqual([filtered, filtered]);
  await changeTo("day");
  expect([await asked({}), await asked(chosen)]).toEqual([whole, whole]);
  // Another column may hold the same value: it is not what was chosen.
  await changeTo("again");
  expect([await asked({}), await asked(chosen)]).toEqual([filtered, whole]);
});

test("the records behind a mark of a filtered card are those that it counts", async () => {
  const countries = await makeCard(t, t, datasetId, {
    xaxis: entry("status"),
    series: [entry("pieces")],
    yaxis: [COUNT],
  });
  const pieces = await makeCard(t, t, datasetId, { xaxis: entry("pieces"), yaxis: [COUNT] });
  const id = await makePublished(t, t, [countries, pieces]);
  const marks = {
    both: [group("x", ["paid (all)"]), group("series", ["2"])],
    other: [group("x", ["lost"]), group("series", [null])],
  };
  for (const filters of [
    [filterBy(countries, [group("x", ["open"])])],
    [filterBy(countries, [group("x", ["paid (all)"])], [group("x", ["lost"])])],
    [filterBy(countries, marks.both, marks.other)],
  ]) {
    const { data } = await t
      .as("VIEWER")
      .call(dashboardCardData, { params: { id, cardId: pieces }, body: { filters } });
    expect(data.rows.length).toBeGreaterThan(0);
    for (const { x = null, y0 } of data.rows) {
      const mark = { groups: [group("x", [x])], value: "y0" };
      const params = { id, cardId: pieces };
      const found = await t.as("VIEWER").call(dashboardMarkRecords, { params, body: { filters, mark } });
      if (found.kind !== "records") throw new Error(found.reason);
      const body = JSON.stringify(found.predicate);
      const { count } = await t.as("VIEWER").call(countRecords, { params: { entityId }, query: {}, body });
      expect([found.count, count]).toEqual([Number(y0), Number(y0)]);
    }
  }
});

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
