/** Keys between a search box and what it found: a key that ends a composition places nothing. */
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { walkEntries } from "./entry-list.tsx";

test("Enter places the first entry, and not while a word is being composed", async () => {
  let placed = 0;
  show(
    <div role="search" onKeyDown={(event) => walkEntries(event, () => (placed += 1))}>
      <input aria-label="Search" />
      <button data-entry>First</button>
    </div>,
  );
  const search = page.getByRole("textbox", { name: "Search" });
  await search.click();
  const press = (key: string, isComposing: boolean) =>
    search.element().dispatchEvent(new KeyboardEvent("keydown", { key, isComposing, bubbles: true, cancelable: true }));
  press("Enter", true);
  press("ArrowDown", true);
  expect(placed).toBe(0);
  await expect.element(search).toHaveFocus();
  press("Enter", false);
  expect(placed).toBe(1);
  press("ArrowDown", false);
  await expect.element(page.getByRole("button", { name: "First" })).toHaveFocus();
});
