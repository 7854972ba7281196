/** Refused values, narrowed by the address to one field at one source: only those are asked for, and it is said. */
import { listConnectors } from "@accord/contracts/connections/connectors";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { id } from "@accord/contracts/ids";
import type { RefusedValue } from "@accord/contracts/sync/monitoring/refused-values";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { pipelineRow } from "../../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import type { ActivityNarrowing } from "../activity-tabs.ts";
import { RefusedList } from "./refused-list.tsx";

const network = globalThis.fetch;
let asked: URL[] = [];
let values: RefusedValue[] = [];
beforeEach(() => {
  asked = [];
  values = [];
  globalThis.fetch = async (path, init) => {
    const url = new URL(String(path), location.href);
    if (!url.pathname.startsWith("/api/v1/")) return network(path, init);
    if (!url.pathname.endsWith("/refused-values")) return new Response(null, { status: 404 });
    asked.push(url);
    return Response.json({ values, page: { nextCursor: null, previousCursor: null } });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const unfit = (recordId: string, reason: string | null): RefusedValue => ({
  ...{ recordId: id("record").parse(recordId), recordName: `Record ${recordId.slice(-1)}`, externalId: "7" },
  ...{ direction: "destination", nodeId: "books", connectorId: "c", connectorEntity: "person" },
  ...{ field: "full_name", value: "Augusta Ada King", reason, at: "2026-01-05T00:00:00.000Z" },
});

test("a value that a destination can't take is listed with its record, the field there and why, and what fits by now says so", async () => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"] });
  values = [
    unfit("000000000000000000000001", "“Augusta Ada King” is longer than 8 characters."),
    unfit("000000000000000000000002", null),
  ];
  showInRouter(() => <RefusedList row={pipelineRow()} narrowing={{}} onNarrow={() => undefined} />);
  await expect.element(page.getByRole("gridcell", { name: /is longer than 8 characters/ })).toBeVisible();
  await expect.element(page.getByRole("gridcell", { name: /It fits by now/ })).toBeVisible();
  const record = page.getByRole("link", { name: "Record 1" });
  await expect.element(record).toHaveAttribute("href", expect.stringContaining("000000000000000000000001"));
  await expect.element(page.getByRole("gridcell", { name: "full_name" }).first()).toBeVisible();
  expect(page.getByRole("link", { name: "full_name" }).elements(), "it is no field of the core").toEqual([]);
});

test("refused values of one field are listed alone, until that is taken off", async () => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"] });
  queryClient.setQueryData(keyOf(listConnectors, {}), { connectors: [] });
  function List() {
    const [narrowing, setNarrowing] = useState<ActivityNarrowing>({ node: "shop", field: "phone" });
    return <RefusedList row={pipelineRow()} narrowing={narrowing} onNarrow={setNarrowing} />;
  }
  showInRouter(List);
  const query = () => Object.fromEntries(asked.at(-1)?.searchParams ?? []);
  await expect.poll(query).toMatchObject({ nodeId: "shop", field: "phone" });
  await page.getByRole("button", { name: /Field is phone/ }).click();
  await expect.poll(query).toEqual({ nodeId: "shop" });
  await expect.element(page.getByText("Node is shop")).toBeVisible();
});
