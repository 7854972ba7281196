/** A card says what it leaves out, and a failed one what is wrong. */
import { show } from "@accord/ui/test-kit";
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { ApiError } from "../../../app/api-error.ts";
import "../../../app/words.ts";
import { CardFace } from "./card-face.tsx";

const axis = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const text = (column: string) => ({ ...axis(column), displayFormat: "text" as const });

const answer = (rows: CardData["rows"], reduction: Partial<NonNullable<CardData["reduction"]>> | null): CardData => ({
  columns: [
    { name: "x", displayName: "Airport", dataType: "string" },
    { name: "y0", displayName: "Flights", dataType: "integer" },
  ],
  rows,
  reduction: reduction && {
    isLimited: false,
    totalRows: null,
    otherCategories: 0,
    otherSeries: 0,
    omittedSeries: 0,
    ...reduction,
  },
  asOf: "2026-06-01T08:00:00.000Z",
  dataAsOf: null,
  label: "",
});

function face(
  configuration: CardConfigurationInput,
  query: Partial<Parameters<typeof CardFace>[0]["query"]>,
  asTable = false,
) {
  show(
    <div style={{ width: 480, height: 260 }}>
      <CardFace
        configuration={CardConfiguration.parse(configuration)}
        query={{ error: null, isError: false, isFetching: false, refetch: () => {}, ...query }}
        asTable={asTable}
        errorActions={<a href="/card">Edit card</a>}
      />
    </div>,
  );
}

const columns: CardConfigurationInput = { vizType: "COLUMN", xaxis: text("airport"), yaxis: [axis("flights")] };
const rows = [
  { x: "LAX", y0: 9, other: false },
  { x: "Other", y0: 7, other: false },
  { x: null, y0: 40, other: true },
];

test("categories that were added up are named on the axis and below the chart", async () => {
  face(columns, { data: { data: answer(rows, { otherCategories: 40 }) } });
  await expect.element(page.getByText("Other (40 more)")).toBeVisible();
  await expect.element(page.getByText("Other", { exact: true })).toBeVisible();
  await expect
    .element(page.getByRole("note"))
    .toHaveTextContent(
      "40 more are in Other: 40 · Other is cut at the end of the axis, so that the others can be compared.",
    );
  await expect
    .element(page.getByRole("application"))
    .toHaveAccessibleDescription(/LAX: 9; Other: 7; Other \(40 more\): 40/);
});

test("a chart shown as a table has the same names and numbers", async () => {
  face(columns, { data: { data: answer(rows, { otherCategories: 40 }) } }, true);
  await expect.element(page.getByRole("cell", { name: "Other (40 more)" })).toBeVisible();
  await expect.element(page.getByRole("note")).toHaveTextContent("40 more are in Other: 40");
});

test("a table says how many of its rows it shows", async () => {
  const data = answer([{ c0: "a" }], { isLimited: true, totalRows: 20_000 });
  face(
    { vizType: "TABLE", columns: [text("airport")] },
    { data: { data: { ...data, columns: [{ name: "c0", displayName: "Airport", dataType: "string" }] } } },
  );
  await expect.element(page.getByRole("note")).toHaveTextContent("First 1 of 20,000 rows");
});

test("a card that shows everything has no note", async () => {
  face(columns, { data: { data: answer(rows.slice(0, 2), null) } });
  await expect.element(page.getByText("LAX")).toBeVisible();
  expect(document.querySelector('[role="note"]')).toBeNull();
});

test("a failed card names the cause and leads to where it can be removed", async () => {
  const facts = { code: "dataset_invalid" as const, status: 422, message: "The dataset has problems." };
  const reason = "The dataset has no column “AMT”. Choose another one.";
  face(columns, { isError: true, error: new ApiError({ ...facts, description: reason }) });
  await expect.element(page.getByText(reason)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Edit card" })).toBeVisible();
});

test("[INS-140] each state without a chart has readable words: failed, incomplete, empty, not to be drawn", async () => {
  face(columns, { isError: true, error: new TypeError("Failed to fetch") });
  await expect.element(page.getByText("The data could not be read.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Try again" })).toBeVisible();
  face({ vizType: "COLUMN", xaxis: text("airport") }, {});
  await expect.element(page.getByText("Not complete yet")).toBeVisible();
  await expect.element(page.getByText("Choose what the card shows, and it appears here.")).toBeVisible();
  face(columns, { data: { data: answer([], null) } });
  await expect.element(page.getByText("No data", { exact: true })).toBeVisible();
  const broken: CardData = { ...answer(rows, null), rows: JSON.parse("[null]") };
  face(columns, { data: { data: broken } });
  await expect.element(page.getByText("Something went wrong")).toBeVisible();
  await expect.element(page.getByText("This card can't be drawn with its configuration.")).toBeVisible();
  expect(document.body.textContent).not.toMatch(/something_went_wrong|error_getting_data|_config|no_data_title/);
});

test("[INS-054] a label stands above or below the chart with its variables filled in, or is hidden", async () => {
  const data = { data: { ...answer(rows, null), label: "Top 5 airports" } };
  const look = { vizLabel: "Top {{top}} airports", vizLabelVisible: true };
  const label = () => page.getByText("Top 5 airports", { exact: true });
  const isAbove = () =>
    label().element().getBoundingClientRect().top < page.getByRole("application").element().getBoundingClientRect().top;
  face({ ...columns, ...look, vizLabelPosition: "TOP" }, { data });
  await expect.element(label()).toBeVisible();
  expect(isAbove()).toBe(true);
  face({ ...columns, ...look, vizLabelPosition: "BOTTOM" }, { data });
  await expect.poll(isAbove).toBe(false);
  face({ ...columns, ...look, vizLabelVisible: false }, { data });
  await expect.element(label()).not.toBeInTheDocument();
});
