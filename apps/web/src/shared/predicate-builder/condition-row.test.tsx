/** The field of a condition chosen by keyboard alone. */
import type { Predicate } from "@accord/contracts/data/predicate";
import { SidePanel } from "@accord/ui";
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../app/words.ts";
import { PredicateBuilder } from "./predicate-builder.tsx";
import { EMPTY_GROUP, type BuilderScope } from "./predicate.model.ts";

const SCOPE: BuilderScope = {
  fields: ["Name", "Revenue", "Region", "Phone"].map((name) => ({
    apiName: name,
    displayName: name,
    dataType: "string" as const,
  })),
};

let built: Predicate | undefined;
let closed = 0;

function Builder() {
  const [value, setValue] = useState<Predicate>(EMPTY_GROUP);
  return (
    <SidePanel title="Filter" onClose={() => (closed += 1)}>
      <PredicateBuilder
        value={value}
        onChange={(next) => {
          built = next;
          setValue(next);
        }}
        scope={SCOPE}
        label="Condition"
      />
      <button type="button">After</button>
    </SidePanel>
  );
}

const field = () => page.getByRole("combobox", { name: "Field" });
const options = () =>
  page
    .getByRole("option")
    .elements()
    .filter((element) => element.checkVisibility())
    .map((element) => element.textContent);
const chosen = () =>
  built?.type === "group" && built.children[0]?.type === "condition" ? built.children[0].left : undefined;

async function addCondition(): Promise<void> {
  [built, closed] = [undefined, 0];
  show(<Builder />);
  await expect.element(page.getByRole("button", { name: "Add condition" }).first()).toBeVisible();
  (page.getByRole("button", { name: "Add condition" }).first().element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(field()).toHaveFocus();
}

test("what is typed narrows the fields, and Enter takes the first of them", async () => {
  await addCondition();
  await userEvent.keyboard("re");
  await expect.poll(options).toEqual(["Revenue", "Region"]);
  await userEvent.keyboard("{Enter}");
  await expect.poll(chosen).toMatchObject({ field: "Revenue" });
  await expect.element(field()).toHaveValue("Revenue");
  await expect.element(field()).toHaveFocus();
  await expect.poll(options).toEqual([]);
});

test("arrows open the list and go through it", async () => {
  await addCondition();
  await userEvent.keyboard("{Escape}");
  await expect.poll(options).toEqual([]);
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(options).toEqual(["Name", "Revenue", "Region", "Phone"]);
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  await expect.poll(chosen).toMatchObject({ field: "Region" });
  await expect.element(field()).toHaveFocus();
});

test("Escape closes the list alone, keeps the field as it was, and the focus on it", async () => {
  await addCondition();
  await userEvent.keyboard("reg");
  await expect.poll(options).toEqual(["Region"]);
  await userEvent.keyboard("{Escape}");
  await expect.poll(options).toEqual([]);
  expect(closed).toBe(0);
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveValue("Name");
  expect(chosen()).toMatchObject({ field: "Name" });
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => closed).toBe(1);
});

test("a name that was typed in full is taken when the input is left without Enter, and a part of one is not", async () => {
  await addCondition();
  await userEvent.keyboard("region{Tab}");
  await expect.poll(chosen).toMatchObject({ field: "Region" });
  const comparison = page.getByRole("combobox", { name: "Comparison" });
  await expect.element(comparison).toHaveFocus();
  await userEvent.keyboard("is not bl{Enter}");
  await expect.element(comparison).toHaveValue("is not blank");
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard("reve{Tab}");
  await expect.element(comparison).toHaveFocus();
  await expect.poll(chosen).toMatchObject({ field: "Region" });
});

test("of two fields with one name the one that was chosen stays when its input is passed, and its name is typed again", async () => {
  const status = (apiName: string, group: string) => ({
    ...{ apiName, displayName: "Status", dataType: "string" as const, group },
  });
  const scope: BuilderScope = { fields: [status("crm", "CRM"), status("billing", "Billing")] };
  const changes: Predicate[] = [];
  show(
    <>
      <PredicateBuilder
        value={{
          type: "group",
          combinator: "and",
          children: [{ type: "condition", left: { kind: "field", field: "billing" }, operator: "isBlank", right: [] }],
        }}
        onChange={(next) => changes.push(next)}
        scope={scope}
        label="Condition"
      />
      <button type="button">After</button>
    </>,
  );
  await field().click();
  await userEvent.keyboard("{Tab}");
  await expect.element(field()).not.toHaveFocus();
  await field().click();
  await userEvent.keyboard("Status{Enter}");
  await expect.element(field()).toHaveAttribute("aria-expanded", "false");
  expect(changes).toEqual([]);
});
