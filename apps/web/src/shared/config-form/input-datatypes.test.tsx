/** Every datatype and every key of an input's definition: the control that it makes, and what it keeps. */
import { INPUT_DATATYPES, type InputDefinition } from "@accord/contracts/config/inputs";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../app/queries.ts";
import "../../app/words.ts";
import { TOKENS } from "../token-picker/token-text.fixtures.ts";
import { ConfigForm } from "./config-form.tsx";

type Values = Record<string, unknown>;
const FIELDS = [
  { apiName: "Name", displayName: "Name", dataType: "string" as const },
  { apiName: "Size", displayName: "Company size", dataType: "integer" as const },
];

/** Shows the form; answers what it holds now. */
function showForm(inputs: readonly InputDefinition[], values: Values = {}): () => Values {
  const held: { now: Values } = { now: values };
  function Form() {
    const [now, setNow] = useState(values);
    const change = (next: Values) => {
      held.now = next;
      setNow(next);
    };
    return <ConfigForm inputs={inputs} values={now} onChange={change} tokens={TOKENS} fields={FIELDS} />;
  }
  show(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  );
  return () => held.now;
}
const OPTIONS = ["a", "b"].map((id) => ({ id, label: `Option ${id}` }));
const one = (datatype: string, more: Partial<InputDefinition> = {}): InputDefinition => ({
  ...{ name: "it", label: "Value", datatype },
  ...more,
});
const text = () => page.getByRole("textbox", { name: "Value", exact: true });
const choice = () => page.getByRole("combobox", { name: "Value", exact: true });

interface Case {
  more?: Partial<InputDefinition>;
  /** Uses its control. */
  enter: () => Promise<void>;
  /** What is stored then. */
  stored: unknown;
}
const typed = (words: string, stored: unknown = words): Case => ({ enter: () => text().fill(words), stored });
const chosen: Case = {
  more: { values: OPTIONS },
  enter: async () => {
    await choice().click();
    await page.getByRole("option", { name: "Option b" }).click();
  },
  stored: "b",
};
const several = (option: string, stored: string): Case => ({
  more: { values: OPTIONS },
  enter: async () => {
    await choice().click({ force: true });
    await page.getByRole("option", { name: option }).click();
    await userEvent.keyboard("{Escape}");
  },
  stored: [stored],
});
const moment = (entered: string, stored: string): Case => ({
  enter: () => page.getByLabelText("Value", { exact: true }).fill(entered),
  stored,
});

const FIRST = {
  boolean: { enter: () => page.getByRole("switch", { name: "Value" }).click({ force: true }), stored: true },
  composite: {
    more: { renderType: "pairs", repeatable: true },
    enter: async () => {
      await page.getByRole("textbox").first().fill("AT");
      await page.getByRole("textbox", { name: "It becomes" }).fill("Austria");
    },
    stored: [{ from: "AT", to: "Austria" }],
  },
  date: moment("2026-01-31", "2026-01-31"),
  datetime: moment("2026-01-31T10:20", "2026-01-31T10:20:00.000Z"),
  double: typed("1.5", 1.5),
  emailBody: { more: {}, enter: async () => {}, stored: "<p>Hello</p>" },
  emailList: {
    enter: async () => {
      await page.getByRole("textbox", { name: "Value: Row 1" }).fill("a@example.com");
    },
    stored: ["a@example.com"],
  },
  integer: typed("7", 7),
  password: { enter: () => page.getByLabelText("Value", { exact: true }).fill("secret"), stored: "secret" },
  predicate: {
    enter: async () => {
      await page.getByRole("button", { name: "Add condition" }).click();
    },
    stored: expect.objectContaining({ type: "group", children: [expect.objectContaining({ type: "condition" })] }),
  },
  string: typed("one line"),
  textarea: typed("two\nlines"),
  text: typed("two\nlines"),
  case: {
    enter: () => page.getByRole("textbox", { name: "Value" }).fill("x"),
    stored: { value: "x" },
  },
} satisfies Record<string, Case>;

const REST = {
  picklist: chosen,
  picklistCombo: {
    more: { values: OPTIONS },
    enter: async () => {
      await choice().fill("of my own");
    },
    stored: "of my own",
  },
  multiselect: several("Option a", "a"),
  multiselectField: several("Company size", "Size"),
  reference: chosen,
  id: typed("x1"),
  url: typed("https://example.com/"),
  timestamp: moment("2026-01-31T10:20:30", "2026-01-31T10:20:30.000Z"),
  object: typed('{"a":[1]}'),
  email: typed("a@example.com"),
  phone: typed("+43 1 23"),
  externalId: typed("x1"),
} satisfies Record<string, Case>;

async function enterAndReopen(datatype: string, { more = {}, enter, stored }: Case): Promise<void> {
  const before: Values = datatype === "emailBody" ? { it: stored } : {};
  const held = showForm([one(datatype, more)], before);
  await enter();
  await expect.poll(held, { message: datatype }).toEqual({ it: stored });
  // Opened again, nothing of it changes.
  const again = held();
  const reopened = showForm([one(datatype, more)], again);
  await expect.element(page.getByText("Value", { exact: true }).first(), { message: datatype }).toBeVisible();
  expect(reopened(), datatype).toEqual(again);
}

test("[SYN-040] each datatype has a control that stores its value, and shows it again unchanged", async () => {
  for (const [datatype, given] of Object.entries(FIRST)) await enterAndReopen(datatype, given);
});

test("[SYN-041] choices, references and texts of a kind have controls that store their value, and show it again unchanged", async () => {
  for (const [datatype, given] of Object.entries(REST)) await enterAndReopen(datatype, given);
  // A tab holds other inputs and is none itself.
  const held = showForm([one("tab"), { name: "other", label: "Other", datatype: "string" }], { it: "kept" });
  await page.getByRole("textbox", { name: "Other" }).fill("x");
  await expect.poll(held).toEqual({ it: "kept", other: "x" });
  expect(page.getByText("Value", { exact: true }).elements()).toHaveLength(0);
});

test("every datatype of the contract is tried here", () => {
  const elsewhere = ["tab", "fieldMap"];
  expect([...Object.keys(FIRST), ...Object.keys(REST), ...elsewhere].toSorted()).toEqual(
    [...INPUT_DATATYPES].toSorted(),
  );
});

test("[SYN-038] name, label, default, values, clearing, reading only, what shows and what it depends on follow the definition", async () => {
  const held = showForm(
    [
      { name: "kind", label: "Kind", datatype: "picklist", values: OPTIONS, defaultValue: "a" },
      { name: "spare", label: "Spare", datatype: "picklist", values: OPTIONS, allowClear: true },
      { name: "fixed", label: "Fixed", datatype: "string", readOnly: true },
      { name: "off", label: "Off", datatype: "string", disabled: true },
      { name: "way", label: "Way", datatype: "picklist", values: OPTIONS, displayMode: "radio" },
      {
        ...{ name: "field", label: "Field", datatype: "picklist", renderType: "coreField" },
        dependsOn: { dependantField: "kind", dependantType: "coreEntityFields", params: { of: "kind" } },
      },
      { name: "hidden", label: "Hidden", datatype: "string", implicit: true },
      { name: "nodeLabel", label: "Label of the node", datatype: "string", implicit: true },
    ],
    { spare: "b", hidden: "kept" },
  );
  await expect.element(page.getByRole("combobox", { name: "Kind" })).toHaveValue("Option a");
  await expect.element(page.getByRole("textbox", { name: "Fixed" })).toBeDisabled();
  await expect.element(page.getByRole("textbox", { name: "Off" })).toBeDisabled();
  await expect.element(page.getByRole("textbox", { name: "Label of the node" })).toBeVisible();
  expect(page.getByText("Hidden", { exact: true }).elements()).toHaveLength(0);
  await page.getByRole("radiogroup", { name: "Way" }).getByRole("radio", { name: "Option b" }).click();
  await page.getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("option", { name: "Company size" }).click();
  await userEvent.click(page.getByRole("button", { name: "Clear Spare" }));
  await expect.poll(held).toEqual({ spare: "", hidden: "kept", way: "b", field: "Size" });
});

test("[SYN-039] required, hidden, helped, repeated, grouped and tokened inputs follow the definition", async () => {
  const held = showForm(
    [
      { name: "must", label: "Must", datatype: "string", required: true, helpText: "It is needed." },
      { name: "brief", label: "Brief", datatype: "string", helpSummary: "In short." },
      { name: "later", label: "Later", datatype: "string", requiredValue: { field: "must", value: "yes" } },
      { name: "closed", label: "Closed", datatype: "string", uneditable: true },
      { name: "plain", label: "Plain", datatype: "string", hideTokenPicker: true },
      { name: "size", label: "Size", datatype: "integer" },
      { name: "sizeOrToken", label: "Size or token", datatype: "integer", allowUserToken: true },
      { name: "list", label: "List", datatype: "text", repeatable: true },
      { name: "grouped", label: "Grouped", datatype: "string", parentGroup: "Further settings" },
      { name: "rows", label: "Rows", datatype: "composite", repeatable: true },
      { name: "cell", label: "Cell", datatype: "string", fieldSet: "rows", hideTokenPicker: true },
      { name: "loaded", label: "Loaded", datatype: "picklist", values: OPTIONS, dynamicConfig: true },
      {
        ...{ name: "like", label: "Like", datatype: "string" },
        visibilityDependsOnFieldValue: { field: "must", pattern: "^y" },
      },
    ],
    { closed: "kept" },
  );
  const input = (name: string) => page.getByRole("textbox", { name, exact: true });
  await expect.element(input("Must")).toBeRequired();
  await expect.element(page.getByText("It is needed.")).toBeVisible();
  await expect.element(page.getByText("In short.")).toBeVisible();
  for (const name of ["Later", "Like", "Closed"]) expect(input(name).elements(), name).toHaveLength(0);
  const picker = (name: string) =>
    page.getByRole("button", { name: `Insert token: ${name}`, exact: true }).elements().length;
  expect(["Must", "Plain", "Size", "Size or token"].map(picker)).toEqual([1, 0, 0, 1]);
  await input("Must").fill("yes");
  await input("Later").fill("now");
  await expect.element(input("Like")).toBeVisible();
  const group = page.getByRole("region", { name: "Further settings" });
  await group.getByRole("textbox", { name: "Grouped" }).fill("in it");
  await page.getByRole("button", { name: "Add row" }).first().click();
  await input("List: Row 2").fill("second");
  await page.getByRole("group", { name: "Rows", exact: true }).getByRole("textbox").first().fill("a cell");
  await page.getByRole("combobox", { name: "Loaded" }).click();
  await page.getByRole("option", { name: "Option a" }).click();
  await expect.poll(held).toMatchObject({
    ...{ must: "yes", later: "now", closed: "kept", grouped: "in it", loaded: "a" },
    list: ["", "second"],
    rows: [{ cell: "a cell" }],
  });
});

test("[SYN-039] the left side and the operators of a condition are those of the definition", async () => {
  const condition = { type: "condition", left: { kind: "field", field: "Name" }, operator: "equals", right: [] };
  showForm([{ name: "it", label: "When", datatype: "predicate", lhsDisabled: true, operatorType: "integer" }], {
    it: { type: "group", combinator: "and", children: [condition] },
  });
  await expect.element(page.getByRole("combobox", { name: "Field" })).toBeDisabled();
  await page.getByRole("combobox", { name: "Comparison" }).click();
  await expect.element(page.getByRole("option", { name: "is between" })).toBeVisible();
});
