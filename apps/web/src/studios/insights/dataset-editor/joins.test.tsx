/** A new join presets no fields: it is one once both of them are chosen. */
import { DatasetConfig, type DataSourceField } from "@accord/contracts/insights/dataset-config";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import "../../../app/words.ts";
import { Joins } from "./joins.tsx";

const [INVOICE, ACCOUNT] = ["00000000000000000000000a", "00000000000000000000000b"];
const source = (datasetId: string, datasourceAlias: string) =>
  ({ datasetId, datasetType: "ENTITY", datasourceAlias }) as const;
const field = (datasetId: string, alias: string, apiName: string, displayName: string): DataSourceField => ({
  ...{ fieldId: `${alias}.${apiName}`, apiName, displayName, dataType: "string", datasetId },
  ...{ datasetType: "ENTITY", datasourceAlias: alias, fieldAlias: `${alias}.${apiName}` },
});
const FIELDS = [
  field(INVOICE, "invoices", "accord_id", "Record id"),
  field(INVOICE, "invoices", "customer", "Customer"),
  field(ACCOUNT, "Account", "accord_id", "Record id"),
];

const network = globalThis.fetch;
beforeEach(() => {
  queryClient.clear();
  globalThis.fetch = async (path, init) =>
    String(path).includes("/api/v1/") ? Response.json({ suggestions: [] }) : network(path, init);
});
afterEach(() => {
  globalThis.fetch = network;
});

let joins: DatasetConfig["joins"] = [];
function Editor() {
  const [config, setConfig] = useState(
    DatasetConfig.parse({ sources: [source(INVOICE, "invoices"), source(ACCOUNT, "Account")] }),
  );
  const change = (next: DatasetConfig): void => {
    joins = next.joins;
    setConfig(next);
  };
  return <Joins config={config} fields={FIELDS} onChange={change} />;
}

test("[INS-135] a new join presets nothing, offers fields of another source, and is one when both are chosen", async () => {
  show(
    <QueryClientProvider client={queryClient}>
      <Editor />
    </QueryClientProvider>,
  );
  await page.getByRole("button", { name: "Add a join" }).click();
  const [first, second] = ["First", "Second"].map((which) =>
    page.getByRole("combobox", { name: `${which} field of the join`, exact: true }),
  );
  await expect.element(first!).toHaveValue("");
  await expect.element(first!).toHaveFocus();
  await expect.element(second!).toHaveValue("");
  expect(joins).toEqual([]);

  await first!.fill("Customer");
  await expect.element(page.getByRole("option", { name: "invoices.Customer" })).toBeVisible();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  const chosen = page.getByRole("combobox", { name: "First field of the join: invoices.customer" });
  await expect.element(chosen).toHaveValue("invoices.Customer");
  await second!.click();
  await expect.element(page.getByRole("option", { name: "Account.Record id" })).toBeVisible();
  await expect.element(page.getByRole("option", { name: "invoices.Record id" })).not.toBeInTheDocument();
  await page.getByRole("option", { name: "Account.Record id" }).click();
  await expect.poll(() => joins).toMatchObject([{ field1: { apiName: "customer" }, field2: { apiName: "accord_id" } }]);
  await expect.element(page.getByText(/^Choose the fields that have to be equal/)).not.toBeInTheDocument();
});
