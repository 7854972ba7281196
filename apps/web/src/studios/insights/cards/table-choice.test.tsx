/** A card shown as a table stays one when it is shown again, in this browser. */
import { show } from "@accord/ui/test-kit";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { useTableChoice } from "./table-choice.ts";

beforeEach(() => localStorage.removeItem("accord.cards-as-table"));

function Card({ id }: { id: string }) {
  const [asTable, choose] = useTableChoice(id);
  return (
    <button type="button" onClick={() => choose(!asTable)}>
      {id} {asTable ? "table" : "chart"}
    </button>
  );
}
const cards = (round: number) =>
  show(
    <main key={round}>
      <Card id="one" />
      <Card id="two" />
    </main>,
  );

test("the choice of a table holds for its card alone and survives showing the card again", async () => {
  cards(1);
  await page.getByRole("button", { name: "one chart" }).click();
  cards(2);
  await expect.element(page.getByRole("button", { name: "one table" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "two chart" })).toBeVisible();
  await page.getByRole("button", { name: "one table" }).click();
  cards(3);
  await expect.element(page.getByRole("button", { name: "one chart" })).toBeVisible();
});

test("what the browser keeps may be broken: cards are charts then", async () => {
  localStorage.setItem("accord.cards-as-table", "{broken");
  cards(1);
  await expect.element(page.getByRole("button", { name: "one chart" })).toBeVisible();
});
