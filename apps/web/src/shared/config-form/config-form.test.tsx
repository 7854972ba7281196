/** Inputs of generated forms as people use them: each datatype reads back what was entered, rows are edited by keyboard, choices follow others. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../app/queries.ts";
import "../../app/words.ts";
import { TOKENS } from "../token-picker/token-text.fixtures.ts";
import { ConfigForm } from "./config-form.tsx";
import type { Option } from "./config-form.model.ts";

type Values = Record<string, unknown>;
interface Shown {
  inputs: readonly InputDefinition[];
  values?: Values;
  loadOptions?: (input: InputDefinition, controlling: unknown) => Promise<readonly Option[]>;
}

/** Shows the form; answers what it holds now. */
function showForm({ inputs, values = {}, loadOptions = () => Promise.resolve([]) }: Shown): () => Values {
  let held = values;
  function Form() {
    const [now, setNow] = useState(values);
    held = now;
    return (
      <ConfigForm
        inputs={inputs}
        values={now}
        onChange={setNow}
        tokens={TOKENS}
        fields={FIELDS}
        loadOptions={loadOptions}
      />
    );
  }
  show(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  );
  return () => held;
}

const FIELDS = [
  { apiName: "Name", displayName: "Name", dataType: "string" as const },
  { apiName: "Size", displayName: "Size", dataType: "integer" as const },
];
const text = (name: string) => page.getByRole("textbox", { name, exact: true });
const TEXTS = { name: "parts", label: "Parts", datatype: "text", repeatable: true };

test("rows of a list are added, moved by Alt and an arrow with the focus in them, and removed", async () => {
  const held = showForm({ inputs: [TEXTS], values: { parts: ["a", "b"] } });
  await page.getByRole("button", { name: "Add row" }).click();
  await text("Parts: Row 3").fill("c");
  await userEvent.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await expect.poll(held).toEqual({ parts: ["a", "c", "b"] });
  await expect.element(text("Parts: Row 2")).toHaveFocus();
  await userEvent.keyboard("{Alt>}{ArrowUp}{/Alt}{Alt>}{ArrowUp}{/Alt}");
  await expect.poll(held).toEqual({ parts: ["c", "a", "b"] });
  await page.getByRole("button", { name: "Move Row 1" }).click();
  await page.getByRole("menuitem", { name: /Move down/ }).click();
  await expect.poll(held).toEqual({ parts: ["a", "c", "b"] });
  await page.getByRole("button", { name: "Remove row 1" }).click();
  await expect.poll(held).toEqual({ parts: ["c", "b"] });
});

/** Keys that follow one another before the page gets to anything else. */
async function pressAtOnce(...keys: readonly KeyboardEventInit[]): Promise<void> {
  for (const key of keys) {
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true }));
    await Promise.resolve();
  }
}

test("a row that is moved twice at once moves two places, and one moved to the end stays there", async () => {
  const held = showForm({ inputs: [TEXTS], values: { parts: ["a", "b", "c", "d"] } });
  await text("Parts: Row 4").click();
  const up = { key: "ArrowUp", altKey: true };
  await pressAtOnce(up, up);
  await expect.poll(held).toEqual({ parts: ["a", "d", "b", "c"] });
  await expect.element(text("Parts: Row 2")).toHaveFocus();
  await pressAtOnce(up, up, up);
  await expect.poll(held).toEqual({ parts: ["d", "a", "b", "c"] });
});

test("rows of a table keep their cells together when they are moved", async () => {
  const held = showForm({
    inputs: [{ name: "pairs", label: "Table", datatype: "composite", renderType: "pairs", repeatable: true }],
    values: {
      pairs: [
        { from: "A", to: "1" },
        { from: "B", to: "2" },
      ],
    },
  });
  await page.getByRole("textbox", { name: "It becomes" }).first().click();
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await expect.poll(held).toEqual({
    pairs: [
      { from: "B", to: "2" },
      { from: "A", to: "1" },
    ],
  });
  await expect.element(page.getByRole("textbox", { name: "It becomes" }).last()).toHaveFocus();
});

test("a semicolon typed in a list of texts begins the next value, and typing goes on there", async () => {
  const held = showForm({ inputs: [TEXTS] });
  await text("Parts: Row 1").click();
  await userEvent.keyboard("a;");
  await expect.element(text("Parts: Row 2")).toHaveFocus();
  await userEvent.keyboard("b");
  await expect.poll(held).toEqual({ parts: ["a", "b"] });
});

test("what is typed right behind a semicolon stands in the next value", async () => {
  const held = showForm({ inputs: [TEXTS] });
  await text("Parts: Row 1").click();
  for (const letter of "ab;cd;e") {
    document.execCommand("insertText", false, letter);
    await Promise.resolve();
  }
  await expect.poll(held).toEqual({ parts: ["ab", "cd", "e"] });
});

test("a repeatable number takes several numbers, and names the one that is none", async () => {
  const held = showForm({
    inputs: [{ name: "sizes", label: "Sizes", datatype: "integer", repeatable: true }],
    values: { sizes: [1] },
  });
  await page.getByRole("button", { name: "Add row" }).click();
  await text("Sizes: Row 2").fill("2.5");
  await expect.element(text("Sizes: Row 2")).toHaveAccessibleDescription("Give a whole number");
  await text("Sizes: Row 2").fill("2");
  await expect.poll(held).toEqual({ sizes: [1, 2] });
});

test("[SYN-043] an input appears and goes with the value of another one, by equality or pattern, and keeps its own", async () => {
  const held = showForm({
    inputs: [
      { name: "mode", label: "Mode", datatype: "string" },
      {
        name: "exact",
        label: "Exact",
        datatype: "string",
        visibilityDependsOnFieldValue: { field: "mode", value: "b" },
      },
      {
        name: "like",
        label: "Like",
        datatype: "string",
        visibilityDependsOnFieldValue: { field: "mode", pattern: "^b" },
      },
    ],
    values: { exact: "kept" },
  });
  await expect.element(text("Exact")).not.toBeInTheDocument();
  await text("Mode").fill("b");
  await expect.element(text("Exact")).toHaveValue("kept");
  await text("Mode").fill("bc");
  await expect.element(text("Exact")).not.toBeInTheDocument();
  await expect.element(text("Like")).toBeVisible();
  await expect.poll(held).toEqual({ mode: "bc", exact: "kept" });
});

test("[SYN-046] choices of a dependent picklist are loaded anew when the controlling one changes; a choice that is none of them stays, and is said to be", async () => {
  const held = showForm({
    inputs: [
      {
        name: "system",
        label: "System",
        datatype: "picklist",
        values: [
          { id: "crm", label: "CRM" },
          { id: "billing", label: "Billing" },
        ],
      },
      {
        name: "object",
        label: "Object",
        datatype: "picklist",
        renderType: "connectorEntity",
        dependsOn: { dependantField: "system", dependantType: "connectorEntities" },
      },
    ],
    loadOptions: (_input, system) =>
      Promise.resolve([{ id: `${String(system)}-main`, label: `Main of ${String(system)}` }]),
  });
  const choose = async (list: string, option: string) => {
    await page.getByRole("combobox", { name: list }).click();
    await page.getByRole("option", { name: option }).click();
  };
  await page.getByRole("combobox", { name: "Object" }).click();
  await expect.element(page.getByText("Choose the value above first")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await choose("System", "CRM");
  await choose("Object", "Main of crm");
  await choose("System", "Billing");
  await expect.element(page.getByText("This value is not available. Choose another one")).toBeVisible();
  expect(held()).toEqual({ system: "billing", object: "crm-main" });
  await choose("Object", "Main of billing");
  await expect.poll(held).toEqual({ system: "billing", object: "billing-main" });
});

test("an input that is absent shows its default, which is what the node does; clearing it is another value", async () => {
  const held = showForm({
    inputs: [
      { name: "on", label: "On", datatype: "boolean", defaultValue: true },
      { name: "mark", label: "Mark", datatype: "string", defaultValue: "." },
    ],
  });
  await expect.element(page.getByRole("switch", { name: "On" })).toBeChecked();
  await expect.element(text("Mark")).toHaveValue(".");
  expect(held()).toEqual({});
  await text("Mark").fill("");
  await expect.poll(held).toEqual({ mark: "" });
  await expect.element(text("Mark")).toHaveValue("");
});

test("[SYN-044] tokens are offered in inputs of text, and in no switch, choice or condition", async () => {
  showForm({
    inputs: [
      { name: "a", label: "Text", datatype: "string" },
      { name: "b", label: "Switch", datatype: "boolean" },
      { name: "c", label: "Choice", datatype: "picklist", values: [] },
      { name: "d", label: "Hidden picker", datatype: "string", hideTokenPicker: true },
    ],
  });
  await expect.element(page.getByRole("button", { name: "Insert token: Text" })).toBeVisible();
  expect(page.getByRole("button", { name: /Insert token/ }).elements()).toHaveLength(1);
});

test("the left side of a condition that is given can't be changed, and is compared as the type that is named", async () => {
  const condition = { type: "condition", left: { kind: "field", field: "Name" }, operator: "equals", right: [] };
  showForm({
    inputs: [{ name: "when", label: "When", datatype: "predicate", lhsDisabled: true, operatorType: "integer" }],
    values: { when: { type: "group", combinator: "and", children: [condition] } },
  });
  await expect.element(page.getByRole("combobox", { name: "Field" })).toBeDisabled();
  await page.getByRole("combobox", { name: "Comparison" }).click();
  await expect.element(page.getByRole("option", { name: "is between" })).toBeVisible();
});

const ROUND_TRIPS: readonly [datatype: string, value: unknown, shown: string][] = [
  ["string", "a", "a"],
  ["text", "a\nb", "a\nb"],
  ["textarea", "a\nb", "a\nb"],
  ["integer", 7, "7"],
  ["double", 1.5, "1.5"],
  ["date", "2026-01-31", "2026-01-31"],
  ["datetime", "2026-01-31T10:20:00.000Z", "2026-01-31T10:20"],
  ["timestamp", "2026-01-31T10:20:30.000Z", "2026-01-31T10:20:30"],
  ["datetime", "{{previous.values.Name}}", "{{previous.values.Name}}"],
  ["url", "https://example.com/", "https://example.com/"],
  ["email", "a@example.com", "a@example.com"],
  ["phone", "+43 1 23", "+43 1 23"],
  ["id", "x1", "x1"],
  ["externalId", "x1", "x1"],
  ["object", { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
  ["emailBody", "SGkgPGI+{{", "SGkgPGI+{{"],
  ["somethingNew", "a", "a"],
];

test("each datatype shows what is stored, and opening a form changes nothing", async () => {
  for (const [datatype, value, shown] of ROUND_TRIPS) {
    const held = showForm({ inputs: [{ name: "a", label: "Value", datatype }], values: { a: value } });
    await expect.element(page.getByLabelText("Value", { exact: true }), { message: datatype }).toHaveValue(shown);
    expect(held(), datatype).toEqual({ a: value });
  }
});
