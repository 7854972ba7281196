/** A record that a system refused: the reason stands there, and it can be tried again by those who may. */
import { show } from "@accord/ui/test-kit";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import "../../../app/words.ts";
import { SetAside } from "./set-aside.tsx";

const entry = { at: "2026-03-04T05:06:07.000Z", message: "phone must have digits only", status: "OPEN" as const };

test("what was set aside says why and is tried again at a press", async () => {
  const tryAgain = vi.fn();
  show(
    <SetAside entry={entry} isBusy={false} onTryAgain={tryAgain}>
      <a href="#aside">Open</a>
    </SetAside>,
  );
  await expect.element(page.getByText(/^Set aside .*: phone must have digits only$/)).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  expect(tryAgain).toHaveBeenCalledOnce();
  await expect.element(page.getByRole("link", { name: "Open" })).toBeVisible();
});

test("somebody who may not try it again reads the reason alone, and what is tried already is not offered again", async () => {
  show(
    <SetAside entry={{ ...entry, status: "RETRYING" }} isBusy={false} onTryAgain={() => {}}>
      <span>Reason</span>
    </SetAside>,
  );
  await expect.element(page.getByText(/Is tried again, set aside/)).toBeVisible();
  expect(page.getByRole("button").elements()).toEqual([]);
  show(
    <SetAside entry={entry} isBusy={false}>
      <span>Reason</span>
    </SetAside>,
  );
  await expect.element(page.getByText(/phone must have digits only/)).toBeVisible();
  expect(page.getByRole("button").elements()).toEqual([]);
});
