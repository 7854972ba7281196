/** The SQL editor: a problem at its place, running by keys, and names written at the cursor. */
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import axe from "axe-core";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { SqlEditor } from "./sql-editor.tsx";

const TABLE = {
  name: "Deal",
  displayName: "Deals",
  kind: "ENTITY",
  columns: [{ name: "status", displayName: "Status", dataType: "string" }],
};
const PROBLEM = { message: "There is no table “nothing”.", from: 14, to: 21, line: 1, column: 15 };
/** The statements that were previewed. */
let previewed: string[];
const network = globalThis.fetch;

function answer(path: string, sql: string): object {
  if (path.endsWith("/names")) return { tables: [TABLE], functions: [] };
  if (path.endsWith("/check"))
    return sql.includes("nothing")
      ? { problems: [PROBLEM], tables: [], columns: [] }
      : { problems: [], tables: ["Deal"], columns: [{ name: "status", displayName: "Status", dataType: "string" }] };
  previewed.push(sql);
  const columns = [{ name: "status", displayName: "Status", dataType: "string" }];
  return { columns, rows: [{ status: "open" }], truncated: false, asOf: "2026-06-01T08:00:00.000Z", sql };
}

beforeEach(() => {
  previewed = [];
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    const { pathname } = new URL(String(path), location.href);
    if (!pathname.includes("/datasets/")) return network(path, init);
    const body = DatasetConfig.parse(JSON.parse(String(init?.body ?? "{}")).datasetConfig ?? {});
    return Response.json(answer(pathname, body.sql ?? ""));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function Editor({ sql }: { sql: string }) {
  const [config, setConfig] = useState(DatasetConfig.parse({ configMode: "SQL", sql }));
  return <SqlEditor config={config} onChange={setConfig} />;
}

test("[INS-073] a problem stands below the statement with its place, and pressing it leads there", async () => {
  showInRouter(() => <Editor sql="SELECT * FROM nothing" />);
  const problem = page.getByRole("button", { name: "Line 1, column 15: There is no table “nothing”." });
  await expect.element(problem).toBeVisible();
  await problem.click();
  await expect.element(page.getByRole("textbox", { name: "Statement" })).toHaveFocus();
});

test("[INS-073] a statement is typed, names are written at the cursor, and Ctrl + Enter runs it", async () => {
  showInRouter(() => <Editor sql="" />);
  const text = page.getByRole("textbox", { name: "Statement" });
  await text.click();
  await userEvent.keyboard("SELECT status FROM ");
  await page.getByText("Deals", { exact: false }).first().click();
  await page.getByRole("button", { name: "Write Deal at the cursor" }).click();
  await expect.element(text).toHaveTextContent("SELECT status FROM Deal");
  await expect.element(page.getByText("No problems")).toBeVisible();
  await text.click();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(page.getByText("open", { exact: true })).toBeVisible();
  expect(previewed).toEqual(["SELECT status FROM Deal"]);
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});
