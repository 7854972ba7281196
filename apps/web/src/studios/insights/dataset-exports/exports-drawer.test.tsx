/** The panel of a dataset's exports: start, progress, cancel, download, failure with another try, delete; and who may what. */
import { id, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { DatasetExport } from "@accord/contracts/insights/dataset-exports";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { ExportsDrawer } from "./exports-drawer.tsx";
import { sizeOf } from "../../../shared/byte-size.ts";

const DATASET = id("dataset").parse("d".repeat(24));
const ALL: readonly Permission[] = [
  "EXPORT_DATASET",
  "PREVIEW_DATACARD",
  "VIEW_EXPORT_JOBS",
  "CANCEL_EXPORT",
  "DOWNLOAD_EXPORT",
  "DELETE_EXPORT",
];

let exports: DatasetExport[];
/** Calls that write, as they were sent. */
let sent: string[];
let isBroken: boolean;
const network = globalThis.fetch;

const made = (more: Partial<DatasetExport> = {}): DatasetExport =>
  DatasetExport.parse({
    id: "e".repeat(24),
    datasetId: DATASET,
    format: "CSV",
    status: "RUNNING",
    fileName: "Deals.csv",
    variablesMap: {},
    rows: 1_200,
    totalRows: 4_800,
    bytes: 64_000,
    error: null,
    createdBy: "Ada",
    createdAt: "2026-06-01T08:00:00.000Z",
    expiresAt: "2026-06-02T08:00:00.000Z",
    ...more,
  });

/** As the server answers: what is written changes what is listed. */
function answer(method: string, path: string, body: string): Response {
  if (isBroken)
    return Response.json({ code: "query_timeout", status: 422, message: "This took too long." }, { status: 422 });
  if (path.endsWith("/variables")) return Response.json({ variables: [] });
  if (method === "GET") return Response.json({ exports });
  sent.push(`${method} ${path.replace(/^.*\/(datasets|dataset-exports)/, "$1")} ${body}`.trim());
  if (path.endsWith("/cancel")) exports = exports.map((one) => made({ ...one, status: "CANCELED", bytes: 0 }));
  else if (method === "DELETE") {
    exports = [];
    return Response.json({});
  } else
    exports = [
      made({ id: id("datasetExport").parse("f".repeat(24)), status: "QUEUED", rows: 0, totalRows: null }),
      ...exports,
    ];
  return Response.json(exports[0]);
}

beforeEach(() => {
  [exports, sent, isBroken] = [[], [], false];
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    const { pathname } = new URL(String(path), location.href);
    if (!/\/(datasets|dataset-exports)\//.test(pathname)) return network(path, init);
    return answer(init?.method ?? "GET", pathname, String(init?.body ?? ""));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function open(permissions: readonly Permission[] = ALL): void {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });
  showInRouter(() => <ExportsDrawer dataset={{ id: DATASET, displayName: "Deals" }} onClose={() => {}} />);
}
const button = (name: string) => page.getByRole("button", { name, exact: true });

test("[INS-134] an export is started by keys in the chosen format, and stands in the list as waiting", async () => {
  open();
  await expect.element(page.getByText("No exports yet")).toBeVisible();
  page.getByRole("radio", { name: "CSV" }).element().focus();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(page.getByText("Waits for its turn")).toBeVisible();
  expect(sent).toEqual([`POST datasets/${DATASET}/exports {"format":"XLSX","variablesMap":{}}`]);
  await expect.element(button("Cancel Deals.csv")).toBeVisible();
});

test("[INS-134] a running export shows its rows of all, and can be canceled", async () => {
  exports = [made()];
  open();
  await expect.element(page.getByText("1,200 of 4,800 rows")).toBeVisible();
  await expect.element(page.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "25");
  await button("Cancel Deals.csv").click();
  await expect.element(page.getByText("Canceled", { exact: true })).toBeVisible();
  expect(sent).toEqual([`POST dataset-exports/${exports[0]!.id}/cancel`]);
  await expect.element(button("Try again: Deals.csv")).toBeVisible();
});

test("rows that nobody counted are shown as so far, and the list is asked again until it is done", async () => {
  exports = [made({ totalRows: null })];
  open();
  await expect.element(page.getByText("1,200 rows so far")).toBeVisible();
  exports = [made({ status: "COMPLETED", rows: 9_000, totalRows: 9_000 })];
  await expect.element(page.getByText(/9,000 rows/)).toBeVisible();
});

test("[INS-134] a completed export is downloaded by a link and deleted; the list takes the focus then", async () => {
  exports = [made({ status: "COMPLETED", rows: 4_800 })];
  open();
  const link = page.getByRole("link", { name: "Download Deals.csv" });
  await expect.element(link).toHaveAttribute("href", `/api/v1/dataset-exports/${exports[0]!.id}/file`);
  await expect.element(page.getByText(/4,800 rows · 64\.0 kB · kept until/)).toBeVisible();
  await button("Delete Deals.csv").click();
  await expect.element(page.getByText("No exports yet")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Your exports" })).toHaveFocus();
  expect(sent).toEqual([`DELETE dataset-exports/${"e".repeat(24)}`]);
});

test("a failed export says why, and is tried again in its format with its values", async () => {
  const error = "An Excel sheet holds 1,048,575 rows below its header. Export it as CSV.";
  exports = [made({ status: "FAILED", format: "XLSX", variablesMap: { most: 5 }, error })];
  open();
  await expect.element(page.getByText(error)).toBeVisible();
  await button("Try again: Deals.csv").click();
  await expect
    .poll(() => sent)
    .toEqual([`POST datasets/${DATASET}/exports {"format":"XLSX","variablesMap":{"most":5}}`]);
});

test("whoever may not start, see or delete exports reads that, and is offered nothing that would be refused", async () => {
  exports = [made({ status: "COMPLETED" })];
  open(["VIEW_EXPORT_JOBS"]);
  await expect.element(page.getByText(/not start one\. That takes the permissions/)).toBeVisible();
  await expect.element(page.getByText("Deals.csv")).toBeVisible();
  expect(page.getByRole("link").elements()).toEqual([]);
  expect(page.getByRole("button", { name: /Deals\.csv|Start/ }).elements()).toEqual([]);
  open(["EXPORT_DATASET", "PREVIEW_DATACARD"]);
  await expect.element(page.getByText(/not see them/)).toBeVisible();
  await expect.element(button("Start export")).toBeVisible();
});

test("a list that can't be read says so and can be asked again", async () => {
  isBroken = true;
  open();
  await expect.element(page.getByText("This took too long.").first()).toBeVisible();
});

test("nothing that axe finds is wrong with the panel", async () => {
  exports = [made(), made({ id: id("datasetExport").parse("a".repeat(24)), status: "FAILED", error: "It failed." })];
  open();
  await expect.element(page.getByText("It failed.")).toBeVisible();
  // After it has slid in.
  await new Promise((done) => setTimeout(done, 400));
  const { violations } = await axe.run(document.querySelector<HTMLElement>('[role="dialog"]')!);
  expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
});

test("sizes of files are written in words", () => {
  expect([999, 64_000, 1_234_567].map(sizeOf)).toEqual(["999 B", "64.0 kB", "1.2 MB"]);
});
