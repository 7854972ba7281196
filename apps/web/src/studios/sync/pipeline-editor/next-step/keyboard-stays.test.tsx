/** Who works by keyboard goes on where they were: a step that takes its time doesn't lose their focus. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openEditor, row, serveEditor } from "../canvas/view/editor.fixtures.tsx";

serveEditor({ width: 1440, height: 900 });

test("Validate has the focus while the server looks and after it, beside the problems that it opened", async () => {
  let answer = (): void => {};
  const found = new Promise<Response>((done) => {
    answer = () => done(Response.json({ problems: [], publishable: true }));
  });
  openEditor(row(2), { "POST /pipelines/:id/validate": () => found });
  const validate = page.getByRole("button", { name: "Validate", exact: true });
  await expect.element(validate).toBeVisible();
  validate.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(validate).toHaveAttribute("aria-busy", "true");
  await expect.element(validate).toHaveFocus();
  answer();
  await expect.element(page.getByRole("complementary", { name: "Problems" })).toBeVisible();
  await expect.element(validate).toHaveFocus();
});
