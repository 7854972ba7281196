/** What a reader sees of funnels, and of many categories: labels stand free, and a cut bar has its number. */
import { CARD_VIEWS } from "@accord/cards/views";
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { show } from "@accord/ui/test-kit";

const axis = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const text = (column: string) => ({ ...axis(column), displayFormat: "text" as const });

function draw(input: CardConfigurationInput, rows: CardData["rows"], otherCategories = 0) {
  const card = CardConfiguration.parse(input);
  const View = CARD_VIEWS[card.vizType];
  const none = { isLimited: false, totalRows: null, otherSeries: 0, omittedSeries: 0 };
  show(
    <div style={{ width: 400, height: 260 }}>
      <View
        card={card}
        data={{
          columns: [
            { name: "x", displayName: "Status", dataType: "string" },
            { name: "y0", displayName: "Rows", dataType: "integer" },
          ],
          rows,
          reduction: otherCategories > 0 ? { ...none, otherCategories } : null,
          ...{ asOf: "2026-06-01T08:00:00.000Z", dataAsOf: null, label: "" },
        }}
      />
    </div>,
  );
}

/** Shapes that lie under a text, apart from those that hold no colour. */
function under(words: string): number {
  const label = [...document.querySelectorAll<SVGTextElement>("svg text")].find(
    ({ textContent }) => textContent === words,
  );
  const { left, top, bottom } = label!.getBoundingClientRect();
  return [...document.querySelectorAll<SVGPathElement>("svg path")].filter((shape) => {
    if (shape.getAttribute("fill") === "none" || shape.getAttribute("fill") === "transparent") return false;
    const matrix = shape.getScreenCTM()!.inverse();
    return [top + 1, (top + bottom) / 2, bottom - 1].some((y) =>
      shape.isPointInFill(new DOMPoint(left - 2, y).matrixTransform(matrix)),
    );
  }).length;
}

test("[INS-038] no label of a funnel lies on its steps, however fast they narrow", async () => {
  const rows = [
    { x: "open", y0: 1_000 },
    { x: "paid", y0: 120 },
    { x: "late", y0: 100 },
    { x: "lost", y0: 2 },
  ];
  draw({ vizType: "FUNNEL", measure: axis("n"), dataField: text("x"), sortBy: "value", labelPosition: "RIGHT" }, rows);
  await expect.element(page.getByText("open · 1K")).toBeVisible();
  for (const words of ["open · 1K", "paid · 120", "late · 100", "lost · 2"])
    await expect.poll(() => under(words)).toBe(0);
});

test("many categories stay readable beside what was added up, whose number is written at its cut bar", async () => {
  const many = Array.from({ length: 49 }, (_, at) => ({ x: `Customer ${at}`, y0: 31 - (at % 20), other: false }));
  for (const vizType of ["COLUMN", "BAR", "LINE"] as const) {
    draw({ vizType, xaxis: text("x"), yaxis: [axis("n")] }, [...many, { x: null, y0: 115_321, other: true }], 20_757);
    if (vizType !== "LINE")
      await expect.element(page.getByText(vizType === "BAR" ? "115.3K →" : "↑ 115.3K")).toBeVisible();
    await expect.element(page.getByText("40", { exact: true })).toBeVisible();
  }
});

test("axes have their titles, and a goal is drawn where the values do not reach as well", async () => {
  const rows = [
    { x: "open", y0: 40 },
    { x: "paid", y0: 65 },
  ];
  for (const vizType of ["COLUMN", "BAR", "LINE"] as const) {
    draw(
      {
        ...{ vizType, xaxis: text("x"), yaxis: [axis("n")], axisTitles: { category: "Status", value: "Invoices" } },
        referenceLine: { value: 95, label: "Goal" },
      },
      rows,
    );
    await expect.element(page.getByText("Goal · 95")).toBeVisible();
    await expect.element(page.getByText("Status", { exact: true })).toBeVisible();
    await expect.element(page.getByText("Invoices", { exact: true })).toBeVisible();
    await expect.element(page.getByText("100", { exact: true })).toBeVisible();
    await expect.element(page.getByRole("application")).toHaveAccessibleDescription(/open: 40; paid: 65; Goal: 95/);
  }
});
