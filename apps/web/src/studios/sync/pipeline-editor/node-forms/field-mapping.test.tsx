/** The field mapping: suggestion by name, rows by hand, a half-chosen row marked as wrong. */
import { FieldSchema } from "@accord/contracts/data/schema";
import type { FieldMapping } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { FieldMappingTable } from "./field-mapping.tsx";

const field = (apiName: string, displayName: string, more: object = {}) =>
  FieldSchema.parse({ apiName, displayName, dataType: "string", ...more });

function Mapping({ side, onMapped }: { side: "source" | "sink"; onMapped: (rows: FieldMapping[]) => void }) {
  const [rows, setRows] = useState<FieldMapping[]>([]);
  return (
    <FieldMappingTable
      side={side}
      rows={rows}
      connectorName="CRM"
      entityName="Account"
      connectorFields={[
        field("name", "Name"),
        field("phone", "Phone", { dataType: "integer" }),
        field("id", "ID", { updateable: false, initializable: false }),
      ]}
      coreFields={[field("name", "Name"), field("phone", "Phone"), field("taxId", "Tax id")]}
      readOnly={false}
      onChange={(next) => {
        setRows(next);
        onMapped(next);
      }}
    />
  );
}

test("fields of the same name are mapped with one press, each once", async () => {
  let mapped: FieldMapping[] = [];
  show(<Mapping side="source" onMapped={(rows) => (mapped = rows)} />);
  const suggest = page.getByRole("button", { name: "Map matching fields" });
  await suggest.click();
  const found = [
    { connectorField: "name", coreField: "name" },
    { connectorField: "phone", coreField: "phone" },
  ];
  await expect.poll(() => mapped).toEqual(found);
  await suggest.click();
  expect(mapped).toEqual(found);
});

test("a row by hand is wrong until both sides are chosen, and a destination offers only what it can take", async () => {
  let mapped: FieldMapping[] = [];
  show(<Mapping side="sink" onMapped={(rows) => (mapped = rows)} />);
  await page.getByRole("button", { name: "Add a row" }).click();
  const [system, core] = [
    page.getByRole("combobox", { name: "CRM field" }),
    page.getByRole("combobox", { name: "Account field" }),
  ];
  await expect.element(system).toHaveAttribute("aria-invalid", "true");
  await system.click();
  await expect.element(page.getByRole("option", { name: /^Name/ })).toBeVisible();
  await expect.element(page.getByRole("option", { name: /^ID/ })).not.toBeInTheDocument();
  await page.getByRole("option", { name: /^Phone/ }).click();
  await core.click();
  await page.getByRole("option", { name: /^Tax id/ }).click();
  await expect.poll(() => mapped).toEqual([{ connectorField: "phone", coreField: "taxId" }]);
  await page.getByRole("button", { name: "Remove the row phone" }).click();
  await expect.poll(() => mapped).toEqual([]);
});

test("a field's type is said in words where it is chosen", async () => {
  show(<Mapping side="source" onMapped={() => undefined} />);
  await page.getByRole("button", { name: "Add a row" }).click();
  await page.getByRole("combobox", { name: "CRM field" }).click();
  await expect.element(page.getByRole("option", { name: "Phone Whole number" })).toBeVisible();
  await expect.element(page.getByRole("option", { name: "Name Text" })).toBeVisible();
});
