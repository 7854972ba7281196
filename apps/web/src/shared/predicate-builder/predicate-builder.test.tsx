/** Conditions built as a person does: fields bring their operators, values their inputs, groups their words. */
import type { Predicate } from "@accord/contracts/data/predicate";
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../app/words.ts";
import { PredicateBuilder } from "./predicate-builder.tsx";
import { EMPTY_GROUP, type BuilderScope } from "./predicate.model.ts";

const SCOPE: BuilderScope = {
  fields: [
    { apiName: "Name", displayName: "Name", dataType: "string" },
    { apiName: "Revenue", displayName: "Revenue", dataType: "decimal" },
  ],
};

function Builder({ onChange }: { onChange: (value: Predicate) => void }) {
  const [value, setValue] = useState<Predicate>(EMPTY_GROUP);
  const change = (next: Predicate) => {
    setValue(next);
    onChange(next);
  };
  return <PredicateBuilder value={value} onChange={change} scope={SCOPE} label="Condition" />;
}

const pick = async (box: number, option: string) => {
  await page.getByRole("combobox").nth(box).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

test("a condition takes its operators from its field, and a group holds further ones", async () => {
  let built: Predicate | undefined;
  show(<Builder onChange={(value) => (built = value)} />);
  await page.getByRole("button", { name: "Add condition" }).first().click();
  await pick(0, "Revenue");
  await page.getByRole("combobox").nth(1).click();
  await expect.element(page.getByRole("option", { name: "is greater than", exact: true })).toBeVisible();
  await expect.element(page.getByRole("option", { name: "contains", exact: true })).not.toBeInTheDocument();
  await page.getByRole("option", { name: "is greater than", exact: true }).click();
  await page.getByRole("textbox").last().fill("1000");
  await expect
    .poll(() => built)
    .toMatchObject({
      type: "group",
      children: [{ left: { field: "Revenue" }, operator: "greater", right: [{ kind: "literal", value: 1000 }] }],
    });
  await page.getByRole("button", { name: "Add group" }).first().click();
  await expect.poll(() => built).toMatchObject({ children: [{ type: "condition" }, { type: "group" }] });
});

test("the focus is on what was added as soon as it is shown, and near what was removed", async () => {
  show(<Builder onChange={() => {}} />);
  const button = page.getByRole("button", { name: "Add condition" }).first();
  await expect.element(button).toBeVisible();
  /** Pressed; answers where keys go that are pressed before the page gets to anything else. */
  const press = async (element: Element): Promise<Element | null> => {
    element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await Promise.resolve();
    return document.activeElement;
  };
  expect(await press(button.element())).toBe(page.getByRole("combobox", { name: "Field" }).element());
  expect(await press(button.element())).toBe(page.getByRole("combobox", { name: "Field" }).nth(1).element());
  const remove = page.getByRole("button", { name: /remove/i }).last();
  expect(await press(remove.element())).toBe(page.getByRole("combobox", { name: "Field" }).element());
});

test("a word where a number is compared is told at once, and stays as typed", async () => {
  let built: Predicate | undefined;
  show(<Builder onChange={(value) => (built = value)} />);
  await page.getByRole("button", { name: "Add condition" }).first().click();
  await pick(0, "Revenue");
  const value = page.getByRole("textbox").last();
  await value.fill("abc");
  await expect.element(page.getByText("Must be a number", { exact: true })).toBeVisible();
  await expect.element(value).toHaveAttribute("aria-invalid", "true");
  await expect.poll(() => built).toMatchObject({ children: [{ right: [{ kind: "literal", value: "abc" }] }] });
  await value.fill("-1.5");
  await expect.element(page.getByText("Must be a number", { exact: true })).not.toBeInTheDocument();
});

test("what a condition compares with stays readable where it is there no more, and is marked", async () => {
  const condition: Predicate = {
    type: "condition",
    left: { kind: "field", field: "Name" },
    operator: "equals",
    right: [{ kind: "token", token: "Value From Gone" }],
  };
  show(<PredicateBuilder value={condition} onChange={() => {}} scope={SCOPE} label="Condition" />);
  const value = page.getByRole("combobox", { name: "Value" });
  await expect.element(value).toHaveValue("Value From Gone");
  await expect.element(value).toHaveAttribute("aria-invalid", "true");
});
