/** Charts by keys: each mark is reached, outlined and said in the words of the table, and Enter does what a click does. */
import type { CardMark, MarkRecords } from "@accord/contracts/insights/mark-records";
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import axe from "axe-core";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { CardFace } from "./card-face.tsx";

const axis = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const text = (column: string) => ({ ...axis(column), displayFormat: "text" as const });
const TWO: CardConfigurationInput = { vizType: "COLUMN", xaxis: text("Day"), yaxis: [axis("Flights"), axis("Delays")] };
const DAYS = [
  { x: "Monday", y0: 1_200, y1: 9 },
  { x: "Tuesday", y0: 1_310, y1: null },
  { x: "Friday", y0: 1_450, y1: 12 },
];

const answer = (rows: CardData["rows"], otherCategories = 0): CardData => ({
  columns: [
    { name: "x", displayName: "Day", dataType: "string" },
    ...Object.keys(rows[0] ?? {})
      .filter((name) => name.startsWith("y"))
      .map((name) => ({ name, displayName: name === "y0" ? "Flights" : "Delays", dataType: "integer" as const })),
  ],
  rows,
  reduction:
    otherCategories > 0
      ? { isLimited: false, totalRows: null, otherCategories, otherSeries: 0, omittedSeries: 0 }
      : null,
  asOf: "2026-06-01T08:00:00.000Z",
  dataAsOf: null,
  label: "",
});

const asked: CardMark[] = [];
beforeEach(() => {
  queryClient.clear();
  asked.length = 0;
});

const recordsOf = (mark: CardMark) => ({
  queryKey: ["records", mark],
  queryFn: async (): Promise<MarkRecords> => {
    asked.push(mark);
    return { kind: "none", reason: "computed_field", name: "Half" };
  },
});

function face(card: CardConfigurationInput, data: CardData, { asTable = false, mayRead = true } = {}) {
  showInRouter(() => (
    <main style={{ width: 480, height: 280 }}>
      <CardFace
        name="Departures"
        configuration={CardConfiguration.parse(card)}
        query={{ data: { data }, error: null, isError: false, isFetching: false, refetch: () => {} }}
        asTable={asTable}
        {...(mayRead ? { recordsOf } : {})}
      />
    </main>
  ));
}

const chart = () => page.getByRole("application");
const said = () => document.querySelector(".ac-chart-said")?.textContent;
const tip = () =>
  [...document.querySelectorAll<HTMLElement>(".ac-chart-tip__title")].find((one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  )?.parentElement?.textContent;
/** The outline is drawn in the colour of texts, over everything else. */
function outlines(): DOMRect[] {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--ac-text)";
  const color = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll<SVGElement>(".ac-chart svg *")]
    .filter((one) => getComputedStyle(one).stroke === color && getComputedStyle(one).strokeWidth === "2.5px")
    .map((one) => one.getBoundingClientRect());
}

async function enter() {
  await expect.element(chart()).toBeVisible();
  await expect.poll(() => document.querySelectorAll(".ac-chart svg path").length).toBeGreaterThan(0);
  await userEvent.keyboard("{Tab}");
  await expect.element(chart()).toHaveFocus();
}
async function press(keys: string, words: string) {
  await userEvent.keyboard(keys);
  await expect.poll(said).toBe(words);
}

test("the marks of a chart with two series are walked by arrow keys, each outlined, with its tooltip and words", async () => {
  face(TWO, answer(DAYS));
  await enter();
  expect(outlines()).toEqual([]);
  await press("{ArrowRight}", "Monday, Flights: 1,200");
  await expect.poll(() => outlines().length).toBe(1);
  await expect.poll(tip).toBe("MondayFlights1,200Delays9");
  await press("{ArrowDown}", "Monday, Delays: 9");
  await press("{ArrowUp}", "Monday, Flights: 1,200");
  const first = outlines()[0]!.left;
  await press("{End}", "Friday, Flights: 1,450");
  await expect.poll(() => (outlines()[0]?.left ?? 0) > first + 100).toBe(true);
  await press("{ArrowRight}", "Friday, Flights: 1,450");
  await press("{ArrowLeft}", "Tuesday, Flights: 1,310");
  await press("{Home}", "Monday, Flights: 1,200");
  await press("{Escape}", "");
  await expect.poll(() => outlines().length).toBe(0);
  await expect.poll(tip).toBeUndefined();
  await expect.element(chart()).toHaveFocus();
});

test("a gap of a line is said and marked in its place, with the tooltip of its day", async () => {
  face({ ...TWO, vizType: "LINE" }, answer(DAYS));
  await enter();
  await press("{ArrowRight}", "Monday, Flights: 1,200");
  await press("{ArrowRight}", "Tuesday, Flights: 1,310");
  // The drawing follows by a frame.
  await new Promise((done) => setTimeout(done, 500));
  const above = outlines()[0]!;
  await press("{ArrowDown}", "Tuesday, Delays: –, no value");
  await expect.poll(() => (outlines()[0]?.top ?? 0) > above.top + 40).toBe(true);
  expect(Math.abs(outlines()[0]!.left - above.left)).toBeLessThan(2);
  await expect.poll(tip).toBe("TuesdayFlights1,310Delays–");
});

test.each([
  ["dates", "date" as const, (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)],
  ["months", "date" as const, (month: number) => new Date(Date.UTC(2018, month, 1)).toISOString().slice(0, 10)],
  ["texts", "string" as const, (day: number) => `Day ${day}`],
])(
  "the points of a line of %s that is too long for dots are marked where the line is",
  async (kind, dataType, nameOf) => {
    const days = Array.from({ length: 80 }, (_day, day) => ({ x: nameOf(day), y0: day === 40 ? 900 : 100 }));
    const { columns, ...rest } = answer(days);
    const data = {
      ...rest,
      columns: columns.map((column) => (column.name === "x" ? { ...column, dataType } : column)),
    };
    const xaxis = { ...text("Day"), ...(kind === "months" ? { grain: "month" as const } : {}) };
    face({ vizType: "LINE", xaxis, yaxis: [axis("Flights")] }, data);
    await enter();
    await userEvent.keyboard("{ArrowRight}");
    await expect.poll(said).toMatch(/, Flights: 100$/);
    // The drawing follows by a frame, and once more when the point is emphasized.
    await new Promise((done) => setTimeout(done, 1_000));
    const low = outlines()[0]!;
    expect(low.width).toBeGreaterThan(8);
    for (let day = 1; day <= 40; day += 1) await userEvent.keyboard("{ArrowRight}");
    await expect.poll(said).toMatch(/, Flights: 900$/);
    await expect.poll(() => (outlines()[0]?.top ?? low.top) < low.top - 100).toBe(true);
    await userEvent.keyboard("{End}{ArrowLeft}");
    await expect.poll(() => (outlines()[0]?.left ?? 0) > low.left + 300).toBe(true);
  },
);

test("the slice that adds up the small ones of a donut says that it does", async () => {
  face(
    {
      ...{ vizType: "PIE", category: text("Day"), value: axis("Flights") },
      minimumValue: { value: 100, label: "The rest", applyToSubCategories: false },
    },
    answer([
      { x: "Monday", y0: 600 },
      { x: "Tuesday", y0: 60 },
      { x: "Friday", y0: 40 },
    ]),
  );
  await enter();
  await press("{End}", "The rest: 100, several values added up");
  await expect.poll(() => outlines().length).toBe(1);
  await expect.poll(tip).toContain("100");
});

for (const vizType of ["BAR", "FUNNEL", "GAUGE"] as const)
  test(`the marks of a ${vizType.toLowerCase()} are reached and outlined`, async () => {
    const rows = [
      { x: "Monday", y0: 12 },
      { x: "Friday", y0: 45 },
    ];
    if (vizType === "GAUGE") {
      const data = answer(rows.slice(0, 1));
      face({ vizType, columns: [axis("Flights")] }, { ...data, columns: data.columns.slice(1) });
    } else if (vizType === "BAR") face({ ...TWO, vizType, yaxis: [axis("Flights")] }, answer(rows));
    else face({ vizType, measure: axis("Flights"), dataField: text("Day") }, answer(rows));
    await enter();
    const words = { BAR: "Monday, Flights: 12", FUNNEL: "Friday: 45", GAUGE: "Flights: 12" }[vizType];
    await press("{ArrowRight}", words);
    await expect.poll(() => outlines().length).toBe(1);
  });

test("Enter and Space lead to the records of the mark as a click does, and Escape goes back to it", async () => {
  face(TWO, answer(DAYS));
  await enter();
  await press("{ArrowRight}{ArrowRight}", "Tuesday, Flights: 1,310");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText(/“Half” is worked out by a formula/)).toBeVisible();
  expect(asked).toEqual([{ groups: [{ column: "x", values: ["Tuesday"], isOthers: false }], value: "y0" }]);
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(chart()).toHaveFocus();
  await press("{ArrowRight}", "Friday, Flights: 1,450");
  await userEvent.keyboard(" ");
  await expect.poll(() => asked.at(-1)?.groups[0]?.values).toEqual(["Friday"]);
});

test("to people who may not read records the chart says so", async () => {
  face(TWO, answer(DAYS), { mayRead: false });
  await enter();
  await userEvent.keyboard("{ArrowRight}");
  await press("{Enter}", "The records behind this mark can't be opened here.");
});

test("what is said of each mark has the texts of the table's row", async () => {
  const data = answer([...DAYS.map(({ x, y0 }) => ({ x, y0, other: false })), { x: null, y0: 7, other: true }], 4);
  const card = { ...TWO, yaxis: [axis("Flights")] };
  face(card, data);
  await enter();
  const all: string[] = [];
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowRight"]) {
    const before = said();
    await userEvent.keyboard(`{${key}}`);
    await expect.poll(said).not.toBe(before);
    all.push(said() ?? "");
  }
  face(card, data, { asTable: true });
  await expect.element(page.getByRole("cell", { name: "Monday" })).toBeVisible();
  const rows = [...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map(({ title }) => title),
  );
  expect(rows.length).toBe(4);
  rows.forEach(([day, flights], at) => expect(all[at]).toContain(`${day}, Flights: ${flights}`));
  expect(all[3]).toBe("Other (4 more), Flights: 7, several values added up");
});

test("a chart is one stop with a short name and its summary as description, and axe finds nothing wrong", async () => {
  face(TWO, answer(DAYS));
  await enter();
  await expect.element(chart()).toHaveAccessibleName("Departures, column chart");
  await expect.element(chart()).toHaveAccessibleDescription(/Monday: Flights 1,200, Delays 9; .*Arrow keys go/);
  await press("{ArrowRight}", "Monday, Flights: 1,200");
  expect((await axe.run(document.querySelector("main")!)).violations).toEqual([]);
  await userEvent.keyboard("{Tab}");
  expect(document.querySelector("main")!.contains(document.activeElement)).toBe(false);
});
