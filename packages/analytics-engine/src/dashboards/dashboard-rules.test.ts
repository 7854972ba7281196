/** Rules of dashboards: where cards go and what may be done in each state. */
import type { CardLayout } from "@accord/contracts/insights/dashboards";
import { variableApiName } from "@accord/contracts/insights/variables";
import { expect, test } from "vitest";
import { dashboardAllows } from "./drafts.ts";
import { placeNewCard, repeatedCards, settleLayout } from "./layout.ts";
import { fillTokens, layerValues } from "../variables.ts";

test("[INS-149] new cards are 4 wide and 2 high, after the last one, and wrap when x exceeds 8", () => {
  const cards: { layout: CardLayout }[] = [];
  for (const id of ["a", "b", "c", "d"]) cards.push({ layout: placeNewCard(cards, id) });
  expect(cards.map(({ layout }) => [layout.i, layout.x, layout.y, layout.w, layout.h])).toEqual([
    ["a", 0, 0, 4, 2],
    ["b", 4, 0, 4, 2],
    ["c", 8, 0, 4, 2],
    ["d", 0, 2, 4, 2],
  ]);
});

test("a new card goes below a tall one rather than over it", () => {
  const tall = { layout: { i: "tall", x: 0, y: 0, w: 4, h: 6 } };
  const last = { layout: { i: "last", x: 8, y: 2, w: 4, h: 2 } };
  expect(placeNewCard([tall, last], "new")).toMatchObject({ x: 0, y: 6 });
});

test("cards that overlap or leave the grid are settled, in their order", () => {
  const at = (i: string, x: number, y: number, w = 6, h = 2) => ({ layout: { i, x, y, w, h } });
  const settled = settleLayout([at("a", 0, 0), at("b", 3, 0), at("c", 9, 7)]);
  expect(settled.map(({ layout }) => [layout.x, layout.y])).toEqual([
    [0, 0],
    [3, 2],
    [6, 4],
  ]);
});

test("a card that stands twice is found", () => {
  const card = (id: string) => ({ id }) as Parameters<typeof repeatedCards>[0][number];
  expect(repeatedCards([card("a"), card("b"), card("a")])).toEqual(["a"]);
});

test("[INS-084] examples can be neither drafted nor shared", () => {
  const example = { draftStatus: "APPROVED", draft: null, parentId: null, seeded: true, isExample: true } as const;
  expect(dashboardAllows(example, "createDraft")).toBe(false);
  expect(dashboardAllows(example, "share")).toBe(false);
  const published = { ...example, seeded: false, isExample: false };
  expect(dashboardAllows(published, "createDraft")).toBe(true);
  expect(dashboardAllows({ ...published, draft: "d" }, "createDraft")).toBe(false);
});

test("[INS-061] a variable's api name comes from its display name", () => {
  expect(variableApiName("Top N rows")).toBe("topNRows");
  expect(variableApiName("2nd choice")).toBe("v2ndChoice");
});

test("[INS-063] tokens in a label are filled in, numbers formatted", () => {
  const values = new Map<string, string | number>([
    ["top", 12000],
    ["country", "NL"],
  ]);
  expect(fillTokens("Top {{top}} of {{country}} {{unknown}}", values)).toBe("Top 12,000 of NL {{unknown}}");
});

test("what the viewer chose wins over the dashboard, the card and the dataset", () => {
  expect(layerValues({ a: 1 }, { a: 2, b: 2 }, { b: 3, c: 3 })).toEqual({ a: 1, b: 2, c: 3 });
});
