/** Line charts draw each value that there is, one between gaps as well. */
import { CARD_VIEWS } from "@accord/cards/views";
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { show } from "@accord/ui/test-kit";

const card = CardConfiguration.parse({
  vizType: "LINE",
  xaxis: { column: "time", displayFormat: "text" },
  yaxis: [{ column: "seconds", displayName: "Seconds", displayFormat: "number" }],
});

/** Points that are drawn for values of one series, once the drawing has come to rest. */
async function pointsOf(values: (number | null)[]): Promise<number> {
  show(
    <div style={{ width: 600, height: 240 }}>
      <CARD_VIEWS.LINE
        card={card}
        data={{
          columns: [
            { name: "x", displayName: "Time", dataType: "string" },
            { name: "y0", displayName: "Seconds", dataType: "decimal" },
          ],
          rows: values.map((y0, at) => ({ x: `at ${at}`, y0 })),
          reduction: null,
          asOf: "2026-06-01T08:00:00.000Z",
          dataAsOf: null,
          label: "",
        }}
      />
    </div>,
  );
  await expect.element(page.getByText("at 0")).toBeVisible();
  const shapes = () => [...document.querySelectorAll("svg path")].map((shape) => shape.getBoundingClientRect());
  const count = () =>
    shapes().filter(({ width, height }) => width > 3 && width < 12 && Math.abs(width - height) < 1).length;
  /** The axes alone are no drawing yet. */
  const isDrawn = () => count() > 0 || shapes().some(({ width, height }) => width > 300 && height > 20);
  let before = -1;
  const isAtRest = () => {
    const isSame = isDrawn() && count() === before;
    before = count();
    return isSame;
  };
  await expect.poll(isAtRest, { interval: 300 }).toBe(true);
  return before;
}

test("a value between two gaps is a point, among few values and among many", async () => {
  const among = (length: number) => Array.from({ length }, (_, at) => (at === 20 ? 5 : null));
  expect(await pointsOf(among(40))).toBe(1);
  expect(await pointsOf(among(200))).toBe(1);
});

test("a long line has no points", async () => {
  expect(await pointsOf(Array.from({ length: 200 }, (_, at) => at % 7))).toBe(0);
});
