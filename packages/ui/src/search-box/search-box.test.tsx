/** Enter in a search box: what is typed is sent first, and a key that ends a composition is none. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { SearchBox } from "./search-box.tsx";

let sent: string[];

function Search() {
  const [text, setText] = useState("");
  return (
    <SearchBox
      value={text}
      // Longer than the test takes.
      pause={60_000}
      placeholder="Find"
      onChange={(next) => {
        sent.push(next);
        setText(next);
      }}
      onEnter={(typed) => sent.push(`Enter ${typed}`)}
    />
  );
}

const press = (key: string, isComposing: boolean) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent("keydown", { key, isComposing, bubbles: true, cancelable: true }),
  );

test("Enter sends what was typed at once, and takes nothing while a word is being composed", async () => {
  sent = [];
  show(<Search />);
  await page.getByPlaceholder("Find").click();
  await userEvent.keyboard("shop");
  press("Enter", true);
  press("Escape", true);
  await expect.element(page.getByPlaceholder("Find")).toHaveValue("shop");
  expect(sent).toEqual([]);
  press("Enter", false);
  expect(sent).toEqual(["shop", "Enter shop"]);
});
