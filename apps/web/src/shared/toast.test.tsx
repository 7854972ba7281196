/** Toasts: the same one is on the screen once, however often it is said. */
import { Notifications, notifications } from "@mantine/notifications";
import { show } from "@accord/ui/test-kit";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import "../app/words.ts";
import { toast } from "./toast.tsx";

const MESSAGE = "Sources can't be copied";
const shown = () => page.getByText(MESSAGE).elements().length;

afterEach(() => {
  notifications.clean();
});

test("a toast that is said three times is there once, and others beside it", async () => {
  show(<Notifications />);
  for (let time = 0; time < 3; time++) toast.info(MESSAGE);
  toast.error(MESSAGE, { description: "Another reason" });
  await expect.element(page.getByText("Another reason")).toBeVisible();
  await expect.poll(shown).toBe(2);
  toast.info(MESSAGE);
  await expect.element(page.getByText(MESSAGE).first()).toBeVisible();
  await expect.poll(shown).toBe(2);
});

test("a toast that was closed is shown again", async () => {
  show(<Notifications />);
  toast.info(MESSAGE);
  await expect.poll(shown).toBe(1);
  await page.getByRole("button", { name: "Close" }).click();
  await expect.poll(shown).toBe(0);
  toast.info(MESSAGE);
  await expect.poll(shown).toBe(1);
});
