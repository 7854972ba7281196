/** A long reason is cut at two lines and read whole in place, by mouse and by keyboard. */
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../../../app/words.ts";
import "./activity-drawer.css";
import { LongText } from "./long-text.tsx";

const LONG = `Failing row contains (1058, ${"00M, ".repeat(60)}) and breaks contacts_check.`;

test("a reason that is cut opens whole in place and closes again, by mouse and keyboard", async () => {
  show(
    <div style={{ width: 220 }}>
      <LongText text={LONG}>
        <a href="#record">Correct the record</a>
      </LongText>
    </div>,
  );
  const text = page.getByText(LONG);
  const height = () => text.element().getBoundingClientRect().height;
  const more = page.getByRole("button", { name: "Show the whole reason" });
  await expect.element(more).toHaveAttribute("aria-expanded", "false");
  const cut = height();
  await more.click();
  await expect.element(page.getByRole("button", { name: "Show less" })).toHaveAttribute("aria-expanded", "true");
  expect(height()).toBeGreaterThan(3 * cut);
  expect(text.element().scrollHeight).toBeLessThanOrEqual(text.element().clientHeight + 1);
  await userEvent.keyboard("{Enter}");
  await expect.poll(height).toBe(cut);
  await expect.element(page.getByRole("link", { name: "Correct the record" })).toBeVisible();
});

test("a short reason offers nothing to open", async () => {
  show(<LongText text="Too long" />);
  await expect.element(page.getByText("Too long")).toBeVisible();
  expect(page.getByRole("button").elements()).toEqual([]);
});
