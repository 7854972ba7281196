/** Code in a generated form: what is typed is kept as it is, what is wrong with it is said, and who may only read can't type. */
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../../app/words.ts";
import { ConfigForm } from "../config-form.tsx";

const INPUT = {
  ...{ name: "script", label: "Code", datatype: "textarea", renderType: "code", hideTokenPicker: true },
  helpText: "JavaScript of your own.",
};
const CODE = 'function run(record) {\n  // all of it\n  return { Name: "x" };\n}';

function showCode({ readOnly = false } = {}): () => Record<string, unknown> {
  let held: Record<string, unknown> = { script: CODE };
  function Form() {
    const [now, setNow] = useState(held);
    held = now;
    return <ConfigForm inputs={[INPUT]} values={now} onChange={setNow} fields={[]} readOnly={readOnly} />;
  }
  show(<Form />);
  return () => held;
}

const editor = () => page.getByRole("textbox", { name: "Code", exact: true });

test("code is typed as text, coloured as JavaScript, and Tab leaves the editor", async () => {
  const held = showCode();
  await expect.poll(() => editor().element().textContent).toContain("function run(record)");
  await expect.element(page.getByText("JavaScript of your own.")).toBeVisible();
  await expect.element(editor()).toHaveAccessibleDescription("JavaScript of your own.");
  expect(held()).toEqual({ script: CODE });
  await editor().click();
  await userEvent.keyboard("{Control>}{End}{/Control}{Enter}const a = 1;");
  await expect.poll(held).toEqual({ script: `${CODE}\nconst a = 1;` });
  const colours = new Set(
    [...document.querySelectorAll(".ac-javascript .cm-line span")].map((one) => getComputedStyle(one).color),
  );
  expect(colours.size).toBeGreaterThan(2);
  await userEvent.tab();
  await expect.element(editor()).not.toHaveFocus();
});

test("who may only read sees the code and can't change it", async () => {
  const held = showCode({ readOnly: true });
  await expect.element(editor()).toHaveAttribute("aria-readonly", "true");
  await editor().click();
  await userEvent.keyboard("x");
  expect(held()).toEqual({ script: CODE });
});
