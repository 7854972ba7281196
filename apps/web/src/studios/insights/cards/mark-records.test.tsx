/** Each mark of a card offers its records to people who may read them: by mouse on the chart, by keys in its table. */
import type { CardMark, MarkRecords } from "@accord/contracts/insights/mark-records";
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { CardFace } from "./card-face.tsx";

const axis = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const text = (column: string) => ({ ...axis(column), displayFormat: "text" as const });
const COLUMNS: CardConfigurationInput = { vizType: "COLUMN", xaxis: text("Country"), yaxis: [axis("Deals")] };
const ROWS = [
  { x: "NL", y0: 9, other: false },
  { x: null, y0: 7, other: false },
  { x: null, y0: 40, other: true },
];
const data: CardData = {
  columns: [
    { name: "x", displayName: "Country", dataType: "string" },
    { name: "y0", displayName: "Deals", dataType: "integer" },
  ],
  rows: ROWS,
  reduction: { isLimited: false, totalRows: null, otherCategories: 3, otherSeries: 0, omittedSeries: 0 },
  asOf: "2026-06-01T08:00:00.000Z",
  dataAsOf: null,
  label: "",
};
const ENTITY = "00000000000000000000000e" as Extract<MarkRecords, { kind: "records" }>["entityId"];
const found: MarkRecords = {
  kind: "records",
  entityId: ENTITY,
  predicate: {
    type: "condition",
    left: { kind: "field", field: "country" },
    operator: "equals",
    right: [{ kind: "literal", value: "NL" }],
  },
  count: 9,
};

let asked: CardMark[];
beforeEach(() => {
  asked = [];
  queryClient.clear();
});

function face(options: { asTable?: boolean; card?: CardConfigurationInput; answer?: MarkRecords | null } = {}) {
  const { asTable = false, card = COLUMNS, answer = found } = options;
  const recordsOf = (mark: CardMark) => ({
    queryKey: ["records", mark],
    queryFn: async () => {
      asked.push(mark);
      return answer!;
    },
  });
  showInRouter(() => (
    <main style={{ width: 480, height: 260 }}>
      <CardFace
        configuration={CardConfiguration.parse(card)}
        query={{ data: { data }, error: null, isError: false, isFetching: false, refetch: () => {} }}
        asTable={asTable}
        {...(answer ? { recordsOf } : {})}
      />
    </main>
  ));
}

const number = (name: string) => page.getByRole("button", { name, exact: true });

test("a number in the table of a card leads by keys to the records of its row, and Escape goes back to it", async () => {
  face({ asTable: true });
  await expect.element(number("Records of NL, Deals: 9")).toBeVisible();
  number("Records of NL, Deals: 9").element().focus();
  await userEvent.keyboard("{Enter}");
  const link = page.getByRole("link", { name: "Show 9 records" });
  await expect.element(link).toHaveFocus();
  const address = new URL(link.element().getAttribute("href") ?? "", "http://accord.test");
  expect(address.pathname).toBe(`/data-studio/entity/${ENTITY}`);
  expect(JSON.parse(JSON.parse(address.searchParams.get("where") ?? "null"))).toMatchObject({ operator: "equals" });
  expect(asked).toEqual([{ groups: [{ column: "x", values: ["NL"], isOthers: false }], value: "y0" }]);
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(number("Records of NL, Deals: 9")).toHaveFocus();
});

test("no value and “Other” lead to their records: those without a value, and those of no category shown", async () => {
  face({ asTable: true });
  await number("Records of (blank), Deals: 7").click();
  await expect.poll(() => asked.at(-1)?.groups).toEqual([{ column: "x", values: [null], isOthers: false }]);
  await userEvent.keyboard("{Escape}");
  await number("Records of Other (3 more), Deals: 40").click();
  await expect.poll(() => asked.at(-1)?.groups).toEqual([{ column: "x", values: ["NL", null], isOthers: true }]);
});

test("a press on a bar of a chart offers the records of the bar", async () => {
  face();
  const bars = () => [...document.querySelectorAll<SVGPathElement>('.ac-chart path[fill^="#"]')];
  await expect.poll(() => bars().length).toBeGreaterThanOrEqual(3);
  // After the animation of the chart.
  await new Promise((done) => setTimeout(done, 600));
  const first = bars().toSorted(
    (one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left,
  )[0]!;
  const [bar, box] = [first.getBoundingClientRect(), document.querySelector(".ac-chart")!.getBoundingClientRect()];
  const position = { x: bar.left + bar.width / 2 - box.left, y: bar.top + bar.height / 2 - box.top };
  await userEvent.click(document.querySelector(".ac-chart")!, { position });
  await expect.element(page.getByText("NL, Deals: 9")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Show 9 records" })).toBeVisible();
  expect(asked[0]?.groups).toEqual([{ column: "x", values: ["NL"], isOthers: false }]);
});

test("the number of a metric leads to the records of its dataset", async () => {
  face({ card: { vizType: "METRIC", columns: [axis("Deals")] } });
  await page.getByRole("button", { name: /^Records of Deals: / }).click();
  await expect.poll(() => asked).toEqual([{ groups: [], value: "x" }]);
});

test("where no filter can say which records they are, the reason stands in place of the offer", async () => {
  face({ asTable: true, answer: { kind: "none", reason: "computed_field", name: "Half" } });
  await number("Records of NL, Deals: 9").click();
  await expect.element(page.getByText(/“Half” is worked out by a formula/)).toBeVisible();
  expect(page.getByRole("link").elements()).toEqual([]);
});

test("people who may not read records, and guests, are offered none", async () => {
  face({ asTable: true, answer: null });
  await expect.element(page.getByRole("cell", { name: "9", exact: true })).toBeVisible();
  expect(page.getByRole("button", { name: /Records of/ }).elements()).toEqual([]);
});
