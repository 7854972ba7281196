/** Enter in a search box: what is typed is told first, and a key that ends a composition is none. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { SearchBox } from "./search-box.tsx";

let told: string[];

function Search() {
  const [text, setText] = useState("");
  return (
    <SearchBox
      value={text}
      // Longer than the test takes.
      pause={60_000}
      placeholder="Find"
      onChange={(next) => {
        told.push(next);
        setText(next);
      }}
      onEnter={(typed) => told.push(`Enter ${typed}`)}
    />
  );
}

const press = (key: string, isComposing: boolean) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent("keydown", { key, isComposing, bubbles: true, cancelable: true }),
  );

test("Enter tells what was typed at once, and takes nothing while a word is being composed", async () => {
  told = [];
  show(<Search />);
  await page.getByPlaceholder("Find").click();
  await userEvent.keyboard("shop");
  press("Enter", true);
  press("Escape", true);
  await expect.element(page.getByPlaceholder("Find")).toHaveValue("shop");
  expect(told).toEqual([]);
  press("Enter", false);
  expect(told).toEqual(["shop", "Enter shop"]);
});
