/** The forms of a described entity: each input changes its own part of the description and leaves the rest as it is. */
import { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import type { EntityDraft } from "../http-entity.model.ts";
import { HttpFieldTable } from "./http-field-table.tsx";
import { HttpListForm } from "./http-list-form.tsx";
import { HttpValueForm } from "./http-value-form.tsx";
import { HttpWriteForm } from "./http-write-form.tsx";

/** Everything that a description can hold, none of it as it would be by itself. */
const FULL: EntityDraft = {
  apiName: "tickets",
  displayName: "Ticket",
  idField: "id",
  watermarkField: "changed",
  fields: [
    { apiName: "id", displayName: "Id", updateable: false, initializable: false },
    { apiName: "changed", displayName: "Changed", dataType: "datetime", path: "meta.changed", writePath: "stamp" },
  ],
  bodyFormat: "form",
  blankAsText: true,
  leavesOutEmpty: true,
  list: {
    method: "POST",
    path: "/tickets/list",
    headers: [{ name: "X-List", value: "1" }],
    body: '{"after":"{{cursor}}"}',
    recordSelector: "data",
    paging: { kind: "lastRecord", param: "after", sizeParam: "limit", size: 50 },
    stop: { hasMoreSelector: "more", totalSelector: "total", maxPages: 7, maxRecords: 900 },
    watermark: { format: "epochSeconds", overlapSeconds: 9, sorted: true, untilParam: "until" },
    leaveOutSelector: "merged",
    pagesAhead: 2,
    changes: {
      method: "POST",
      path: "/tickets/search",
      headers: [{ name: "X-Search", value: "1" }],
      body: '{"since":"{{watermark.start}}"}',
      recordSelector: "results",
      paging: { kind: "cursor", cursorSelector: "next", cursorParam: "", sizeParam: "", size: 30 },
      stop: { maxRecords: 10_000, maxPages: 8 },
    },
  },
  getById: { path: "/tickets/{{id}}", headers: [{ name: "X-One", value: "1" }] },
  create: { method: "POST", path: "/tickets", recordPath: "ticket", body: '{"ticket":{}}', idSelector: "id" },
  update: { method: "PUT", path: "/tickets/{{id}}", recordPath: "ticket", body: '{"ticket":{"safe":true}}' },
  concurrency: { kind: "versionField", field: "changed", name: "ticket.stamp" },
};

let draft = FULL;
function Forms({ initial }: { initial: EntityDraft }) {
  const [shown, setShown] = useState(initial);
  const change = (next: EntityDraft): void => {
    draft = next;
    setShown(next);
  };
  const parts = { draft: shown, problemOf: () => undefined, onChange: change };
  return (
    <>
      <HttpListForm
        list={shown.list}
        baseUrl="https://api.example"
        problemOf={() => undefined}
        onChange={(list) => change({ ...shown, list })}
      />
      <HttpFieldTable {...parts} />
      <HttpValueForm {...parts} />
      <HttpWriteForm {...parts} />
    </>
  );
}

beforeEach(async () => {
  await page.viewport(1280, 900);
});
afterEach(() => page.viewport(414, 896));

const show = (initial: EntityDraft): void => {
  draft = initial;
  showInRouter(() => <Forms initial={initial} />);
};
const changes = () => page.getByRole("group", { name: "Call for changes" });
const choose = async (name: string, option: string, at = page.getByRole("combobox", { name })) => {
  await at.click();
  await page.getByRole("option", { name: option }).click();
};

test("an input that is edited changes its own part of a full description", async () => {
  show(FULL);
  await page.getByLabelText("Leave out records that have").fill("merged_into");
  await page.getByLabelText("Parameter of the last record's id").fill("starting_after");
  await page.getByLabelText("Where the answer says that there are more").first().fill("has_more");
  await page.getByLabelText("Most records of one search").first().fill("");
  await page.getByLabelText("Where the answer says that this was the end").first().fill("end_of_stream");
  await page.getByLabelText("Leave out members without a value").first().click();
  await changes().getByLabelText("Leave out members without a value").click();
  await changes().getByLabelText("Path", { exact: false }).first().fill("/tickets/find");
  await changes().getByLabelText("Most records of one search").fill("5000");
  await page.getByLabelText("Sent as changed").fill("at");
  await page.getByLabelText("Where the record goes in the body").first().fill("data");
  await choose("Bodies are sent as", "JSON");
  await page.getByLabelText("Fields are cleared by an empty text").click();
  const { list } = FULL;
  expect(draft).toEqual({
    ...FULL,
    fields: [FULL.fields?.[0], { ...FULL.fields?.[1], writePath: "at" }],
    bodyFormat: "json",
    blankAsText: false,
    list: {
      ...list,
      leaveOutSelector: "merged_into",
      paging: { ...list.paging, param: "starting_after" },
      stop: { ...list.stop, hasMoreSelector: "has_more", maxRecords: null, endSelector: "end_of_stream" },
      leavesOutBlank: true,
      changes: {
        leavesOutBlank: false,
        ...list.changes,
        path: "/tickets/find",
        stop: { ...list.changes?.stop, maxRecords: 5000 },
      },
    },
    create: { ...FULL.create, recordPath: "data" },
  });
  expect(HttpEntityConfig.safeParse(draft).success).toBe(true);
});

test("a stored description is shown in full, and what is opened and saved stays as it is", async () => {
  const stored = HttpEntityConfig.parse(FULL);
  show(stored);
  await expect.element(page.getByLabelText("Leave out records that have")).toHaveValue("merged");
  await expect
    .element(page.getByRole("combobox", { name: "Bodies are sent as" }))
    .toHaveValue("A form (application/x-www-form-urlencoded)");
  await expect.element(changes().getByLabelText("Body (JSON)")).toHaveValue('{"since":"{{watermark.start}}"}');
  await expect.element(page.getByLabelText("Sent as changed")).toHaveValue("stamp");
  await page.getByLabelText("Label changed").fill("Changed at");
  await page.getByLabelText("Label changed").fill("Changed");
  expect(draft).toEqual(stored);
});

test("members without a value are left out of a search for changes unless chosen otherwise, and of other lists if chosen", async () => {
  show(FULL);
  const box = page.getByLabelText("Leave out members without a value");
  await expect.element(box.first()).not.toBeChecked();
  await expect.element(changes().getByLabelText("Leave out members without a value")).toBeChecked();
  const plain: EntityDraft = { ...FULL, list: { ...FULL.list, method: "GET", changes: null } };
  show(plain);
  await expect.poll(() => box.query()).toBeNull();
});

test("another call for changes is offered where changes are asked for", async () => {
  const plain: EntityDraft = { ...FULL, list: { path: "/tickets", watermark: null } };
  show(plain);
  const own = page.getByRole("switch", { name: /^Changes are asked for by another call/ });
  await expect.element(page.getByRole("switch", { name: /^The API can be asked for changes/ })).toBeInTheDocument();
  expect(own.query()).toBeNull();
  await page.getByRole("switch", { name: /^The API can be asked for changes/ }).click();
  await own.click();
  await expect.element(changes()).toBeInTheDocument();
  expect(draft.list.changes).toEqual({ method: "POST", path: "/tickets/search" });
  await userEvent.keyboard(" ");
  await expect.poll(() => draft.list.changes).toBeNull();
});

test("without a call that reads one record the form says that nothing is compared before a write", async () => {
  show({ ...FULL, concurrency: null, getById: null });
  const warning = page.getByText(/a newer edit can be overwritten/);
  await expect.element(warning).toBeInTheDocument();
  await page.getByRole("switch", { name: "Read one record" }).click();
  await expect.element(warning).not.toBeInTheDocument();
});

test("what is switched off or to another kind and back is as it was", async () => {
  show(FULL);
  const stored = structuredClone(FULL);
  await choose("Pages", "Page numbers", page.getByRole("combobox", { name: "Pages" }).first());
  await choose("Pages", "After the last record's id", page.getByRole("combobox", { name: "Pages" }).first());
  await choose("How a newer edit is noticed", "Not by the API");
  await choose("How a newer edit is noticed", "The API compares a version field");
  for (const name of [
    /^The API can be asked/,
    /^Changes are asked for by another/,
    "Create",
    "Change",
    "Read one record",
  ]) {
    const toggle = page.getByRole("switch", { name });
    await toggle.click();
    expect(draft).not.toEqual(stored);
    await toggle.click();
    expect(draft).toEqual(stored);
  }
});

test("a field that is removed is no watermark or version any more, and the form says so", async () => {
  show(FULL);
  await page.getByRole("button", { name: "Remove changed" }).click();
  await expect.element(page.getByText(/the watermark, the version that is compared/)).toBeInTheDocument();
  expect(draft).toMatchObject({ watermarkField: null, concurrency: { field: "" } });
});

test("a field is written when it is created, changed, both or never, and keeps a type that is not usual", async () => {
  const odd = { apiName: "lines", displayName: "Lines", dataType: "complex" as const, updateable: false };
  show({ ...FULL, fields: [odd] });
  await expect.element(page.getByLabelText("Type lines")).toHaveValue("complex");
  await expect.element(page.getByLabelText("Written lines")).toHaveValue("created");
  await page.getByLabelText("Written lines").selectOptions("When changed");
  expect(draft.fields).toEqual([{ ...odd, initializable: false, updateable: true }]);
});
