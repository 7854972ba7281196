/** The keyboard's focus stays on a button whose work goes on, and a second press meanwhile does nothing. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { BusyButton } from "./busy-button.tsx";

let presses = 0;
let end: () => void = () => {};

function Work() {
  const [busy, setBusy] = useState(false);
  const begin = () => {
    presses++;
    setBusy(true);
    end = () => setBusy(false);
  };
  return (
    <BusyButton busy={busy} onClick={begin}>
      Validate
    </BusyButton>
  );
}

test("pressed by key, it has the focus while it is busy and afterwards, and begins once", async () => {
  presses = 0;
  show(<Work />);
  const button = page.getByRole("button", { name: "Validate" });
  const width = (): number => button.element().getBoundingClientRect().width;
  await expect.element(button).toBeVisible();
  // A text is as wide as its font, which may come later.
  await document.fonts.ready;
  const before = width();
  button.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(button).toHaveAttribute("aria-busy", "true");
  expect(width()).toBe(before);
  await userEvent.keyboard("{Enter}");
  await expect.element(button).toHaveFocus();
  end();
  await expect.element(button).not.toHaveAttribute("aria-busy");
  await expect.element(button).toHaveFocus();
  expect(presses).toBe(1);
  await userEvent.keyboard("{Enter}");
  expect(presses).toBe(2);
});
