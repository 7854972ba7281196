/** Marks of one card filter the others: the numbers equal SQL written by hand, for staff and for people outside. */
import type { Id } from "@accord/contracts";
import { getEntity } from "@accord/contracts/data/core-schema";
import { countRecords } from "@accord/contracts/data/records";
import type { CardConfigurationInput } from "@accord/contracts/insights/cards";
import type { CrossFilter, FilterMark } from "@accord/contracts/insights/cross-filter";
import { dashboardCardData } from "@accord/contracts/insights/dashboards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { dashboardMarkRecords } from "@accord/contracts/insights/mark-records";
import { expect, test } from "vitest";
import {
  changeCard,
  columnCard,
  makeCard,
  makeDashboard,
  makeDataset,
  makeDeals,
  makePublished,
} from "../../../../test-kit/fixtures/insights.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import {
  t,
  entityId,
  datasetId,
  table,
  entry,
  COUNT,
  TOTAL,
  field,
  FIELDS,
  group,
  filterBy,
  byHand,
  setUp,
} from "./fixtures/cross-filters.ts";

setUp();

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
