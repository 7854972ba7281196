/** A variable of a dataset: its type decides how its default is entered. */
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { type Variable, VARIABLE_DATATYPES } from "@accord/contracts/insights/variables";
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../app/words.ts";
import { Variables } from "./variables.tsx";

let variables: Variable[] = [];
function Editor({ before }: { before: Variable[] }) {
  const [config, setConfig] = useState(DatasetConfig.parse({ variables: before }));
  const change = (next: DatasetConfig): void => {
    ({ variables } = next);
    setConfig(next);
  };
  return <Variables config={config} onChange={change} />;
}
beforeEach(() => {
  variables = [];
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const form = page.getByRole("dialog");
const type = form.getByRole("combobox", { name: "Type" });
async function choose(datatype: string): Promise<void> {
  await type.click();
  await form.getByRole("option", { name: datatype, exact: true }).click();
  await expect.element(type).toHaveValue(datatype);
}
/** The control of the default value, whichever it is. */
const control = () => form.getByLabelText(/^Default value/).element();

async function begin(...before: Variable[]): Promise<void> {
  show(<Editor key={before.length} before={before} />);
  await button("Add a variable").click();
}

const CONTROLS = {
  ...{ string: "text", picklist: "text", boolean: "switch", date: "date" },
  ...{ datetime: "datetime-local", timestamp: "datetime-local", integer: "decimal", double: "decimal" },
} as const;

test("[INS-062] a new variable is a text, and each of the eight types has an input that suits it", async () => {
  await begin();
  await expect.element(type).toHaveValue("string");
  await type.click();
  const offered = form.getByRole("option").elements();
  expect(offered.map(({ textContent }) => textContent).toSorted()).toEqual(Object.keys(CONTROLS).toSorted());
  expect(Object.keys(CONTROLS).toSorted()).toEqual([...VARIABLE_DATATYPES].toSorted());
  await type.click();
  for (const datatype of VARIABLE_DATATYPES) {
    await choose(datatype);
    const input = () => {
      const element = control();
      return element instanceof HTMLInputElement ? [element.role, element.inputMode, element.type] : [];
    };
    await expect.poll(input).toContain(CONTROLS[datatype]);
  }
  await choose("integer");
  await form.getByLabelText(/^Default value/).fill("1.5");
  await expect.element(form.getByLabelText(/^Default value/)).not.toHaveValue("1.5");
});

test.each<[string, string, string | number | boolean]>([
  ["string", "north", "north"],
  ["picklist", "won", "won"],
  ["integer", "12", 12],
  ["double", "1.5", 1.5],
  ["boolean", "", true],
  ["date", "2026-05-04", "2026-05-04"],
  ["datetime", "2026-05-04T10:30", "2026-05-04T10:30:00.000Z"],
  ["timestamp", "2026-05-04T10:30", "2026-05-04T10:30:00.000Z"],
])(
  "[INS-062] a variable of type %s is created with its default, and shows it again",
  async (datatype, typed, stored) => {
    await begin();
    await form.getByRole("textbox", { name: "Display name" }).fill("Region");
    await choose(datatype);
    const input = form.getByLabelText(/^Default value/);
    await (datatype === "boolean" ? input.click() : input.fill(typed));
    await button("Save variable").click();
    await expect
      .poll(() => variables)
      .toMatchObject([
        {
          apiName: "region",
          datatype,
          variableDefaultValue: { datatype, defaultValue: stored, defaultValueType: "LITERAL" },
        },
      ]);
    await button("Edit Region").click();
    await expect.element(type).toHaveValue(datatype);
    if (datatype === "boolean") await expect.element(form.getByRole("switch")).toBeChecked();
    else await expect.element(form.getByLabelText(/^Default value/)).toHaveValue(typed);
  },
);

test("what was typed for one type is not kept for another that can't show it", async () => {
  await begin();
  await form.getByRole("textbox", { name: "Display name" }).fill("Region");
  await form.getByLabelText(/^Default value/).fill("north");
  await choose("picklist");
  await expect.element(form.getByLabelText(/^Default value/)).toHaveValue("north");
  await choose("integer");
  await expect.element(form.getByLabelText(/^Default value/)).toHaveValue("");
  await button("Save variable").click();
  await expect.poll(() => variables).toMatchObject([{ datatype: "integer", variableDefaultValue: null }]);
});

test("a required switch that is left off is off by default", async () => {
  await begin();
  await form.getByRole("textbox", { name: "Display name" }).fill("Open only");
  await choose("boolean");
  await form.getByRole("checkbox", { name: "Required" }).click();
  await button("Save variable").click();
  await expect.poll(() => variables).toMatchObject([{ required: true, variableDefaultValue: { defaultValue: false } }]);
});
