/** The next step is taken by a press of a key, not by a key that is held since the page before. */
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { NextStepButton } from "./next-step-button.tsx";

test("Enter presses the button that has the focus, and its repetition does not", async () => {
  let presses = 0;
  show(
    <NextStepButton isPending={false} onPress={() => (presses += 1)}>
      Create draft
    </NextStepButton>,
  );
  const button = page.getByRole("button", { name: "Create draft" });
  await expect.element(button).toHaveFocus();
  const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
  button.element().dispatchEvent(held);
  expect(held.defaultPrevented).toBe(true);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => presses).toBe(1);
});
