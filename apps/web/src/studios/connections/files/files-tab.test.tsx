/** The files of a synapse: empty, uploads with progress, a broken connection, questions before use, warnings, rights, deletion. */
import { id, type Permission } from "@accord/contracts";
import type { ConnectorFile, FileTablePreview } from "@accord/contracts/connections/connector-files";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { notifications } from "@mantine/notifications";
import { clockTime } from "@accord/ui";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { FilesTab } from "./files-tab.tsx";
import { connectorDetail } from "./connector.fixtures.ts";

const FILE = id("connectorFile").parse("f".repeat(24));
const OTHER = id("connectorFile").parse("e".repeat(24));
const ALL: readonly Permission[] = ["READ_CONNECTOR", "WRITE_CONNECTOR"];
const network = globalThis.fetch;

let files: ConnectorFile[];
let table: FileTablePreview;
let sent: string[];
/** How the next pieces are answered. */
let failing: { status: number; body: object }[];
/** How a file is refused before it is begun. */
let refusing: object | null;
/** What has arrived of an upload that was begun before. */
let begun: { received: number; arrived: string | null };

const made = (more: Partial<ConnectorFile> = {}): ConnectorFile => ({
  ...{ id: FILE, name: "orders.csv", state: "READY", size: 2_500_000, received: 2_500_000, rows: 12_345 },
  ...{ createdBy: "Ada", createdAt: "2026-06-01T08:00:00.000Z", expiresAt: null },
  ...more,
});
const preview = (more: Partial<FileTablePreview> = {}): FileTablePreview => ({
  ...{ entity: "orders", sheet: null, format: "csv", questions: [] },
  settings: {
    header: "yes",
    delimiter: "semicolon",
    encoding: "utf-8",
    dates: "yearFirst",
    numbers: "plain",
    idColumn: "id",
  },
  columns: [
    { name: "id", dataType: "integer" },
    { name: "day", dataType: "string" },
  ],
  rows: [
    [
      { written: "1", read: "1" },
      { written: "03/04/2026", read: "03/04/2026" },
    ],
  ],
  ...{ rowCount: 1, isComplete: true, ids: [{ column: "id", doubled: 0, empty: 0 }] },
  ...{ unreadable: { count: 0, first: [] }, missingColumns: [], changes: null },
  ...more,
});

function answer(method: string, path: string, body: unknown): Response {
  if (method === "GET")
    return Response.json({
      files,
      limits: { fileBytes: 100_000_000, files: 200, totalBytes: 1_000_000_000 },
      used: { files: files.length, bytes: 2_500_000 },
    });
  sent.push(`${method} ${path.replace(/^.*\/files/, "files")}`);
  if (path.endsWith("/preview")) {
    const { chosen } = JSON.parse(String(body)) as {
      chosen: Record<string, { dates?: "dayFirst"; encoding?: string }>;
    };
    const { dates, encoding } = chosen["orders"] ?? {};
    if (encoding === "utf-16")
      return Response.json(
        { code: "file_unreadable", status: 422, message: "Line 2 is not UTF-16 text." },
        { status: 422 },
      );
    return Response.json({
      tables: [dates ? { ...table, settings: { ...table.settings, dates }, questions: [] } : table],
    });
  }
  if (path.includes("/pieces/")) {
    const refusal = failing.shift();
    if (refusal) return Response.json(refusal.body, { status: refusal.status });
    const received = Math.min(2_500_000, (Number(path.split("/").at(-1)) + 1) * 1_000_000);
    return Response.json(made({ state: received === 2_500_000 ? "RECEIVED" : "RECEIVING", received, rows: null }));
  }
  if (method === "DELETE") {
    files = [];
    return Response.json({});
  }
  if (path.endsWith("/save")) sent.push(String(body));
  if (path.endsWith("/files") && refusing) return Response.json(refusing, { status: 409 });
  if (path.endsWith("/save")) return Response.json(made());
  return Response.json({ ...made({ state: "RECEIVING", rows: null }), ...begun });
}

beforeEach(async () => {
  [files, sent, failing, table] = [[], [], [], preview()];
  [begun, refusing] = [{ received: 0, arrived: null }, null];
  queryClient.clear();
  await page.viewport(1280, 900);
  globalThis.fetch = async (path, init) => {
    const { pathname } = new URL(String(path), location.href);
    return pathname.includes("/files") ? answer(init?.method ?? "GET", pathname, init?.body) : network(path, init);
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  notifications.clean();
  await page.viewport(414, 896);
});

function open(permissions: readonly Permission[] = ALL): void {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });
  showInRouter(() => <FilesTab connector={connectorDetail} />);
}
const choose = () => userEvent.upload(page.getByLabelText("Choose files").first(), chosenFile());
const chosenFile = () => new File([new Uint8Array(2_500_000)], "orders.csv", { type: "text/csv" });
const dialog = page.getByRole("dialog");
const isSound = async (): Promise<void> => {
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
};

test("without files it says what to do, and what may be uploaded", async () => {
  open();
  await expect.element(page.getByText("No files yet")).toBeVisible();
  await expect.element(page.getByText(/up to 100.0 MB each. 2.5 MB of 1.0 GB in use/)).toBeVisible();
  await isSound();
});

test("whoever may only look sees the files, and why nothing can be added", async () => {
  files = [made()];
  open(["READ_CONNECTOR"]);
  await expect.element(page.getByText("12,345")).toBeVisible();
  await expect.element(page.getByText(/ask for the right to edit synapses/)).toBeVisible();
  expect(page.getByRole("button", { name: "Choose files" }).elements()).toEqual([]);
});

test("a list that can't be read says so in place", async () => {
  globalThis.fetch = async () =>
    Response.json({ code: "query_timeout", status: 422, message: "This took too long." }, { status: 422 });
  open();
  await expect.element(page.getByText("This took too long.")).toBeVisible();
});

test("a file is sent in pieces, and its question has to be answered before it is used", async () => {
  table = preview({ questions: [{ setting: "dates", column: "day", example: "03/04/2026" }] });
  open();
  await expect.element(page.getByText("No files yet")).toBeVisible();
  await choose();
  await expect.element(dialog.getByText(/day holds dates such as 03\/04\/2026/)).toBeVisible();
  expect(sent.filter((line) => line.includes("pieces"))).toEqual(
    [0, 1, 2].map((number) => `PUT files/${FILE}/pieces/${number}`),
  );
  const save = dialog.getByRole("button", { name: "Save and use" });
  await expect.element(save).toBeDisabled();
  await isSound();
  await dialog.getByRole("radio", { name: "The first: 3 April 2026" }).click();
  await expect.element(save).toBeEnabled();
  await expect.element(dialog.getByRole("radio", { name: "The first: 3 April 2026" })).toBeChecked();
  await save.click();
  await expect.poll(() => dialog.elements()).toEqual([]);
  expect(sent.at(-1)).toContain('"dates":"dayFirst"');
});

test("a piece that is refused shows why; trying again goes on, canceling deletes what has arrived", async () => {
  failing = [{ status: 409, body: { code: "invalid_state", status: 409, message: "Not now." } }];
  open();
  await expect.element(page.getByText("No files yet")).toBeVisible();
  await choose();
  await expect.element(page.getByText(/orders.csv stopped at 0 B of 2.5 MB: Not now/)).toBeVisible();
  await isSound();
  failing = [{ status: 409, body: { code: "invalid_state", status: 409, message: "Still not." } }];
  await page.getByRole("button", { name: "Try again: orders.csv" }).click();
  await expect.element(page.getByText(/Still not/)).toBeVisible();
  // Somebody else sends a file of the same name and size.
  files = [made({ id: OTHER, state: "RECEIVING", received: 0, rows: null })];
  await page.getByRole("button", { name: "Cancel orders.csv" }).click();
  await expect.poll(() => sent).toContain(`DELETE files/${FILE}`);
  expect(sent.filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
  expect(page.getByRole("list", { name: "Uploads" }).elements()).toEqual([]);
});

test("a piece whose connection broke is sent again by itself", async () => {
  failing = [{ status: 503, body: { code: "server_busy", status: 503, message: "Busy." } }];
  open();
  await expect.element(page.getByText("No files yet")).toBeVisible();
  await choose();
  await expect.element(dialog.getByText("1 row")).toBeVisible();
  expect(sent.filter((line) => line.endsWith("pieces/0"))).toHaveLength(2);
});

test("what speaks against a file is said before it is saved, and what a newer version changes", async () => {
  files = [made({ state: "RECEIVED", rows: null })];
  table = preview({
    ids: [{ column: "id", doubled: 3, empty: 2 }],
    unreadable: { count: 2, first: [{ place: "orders.csv, line 9", message: "N: “x” is no number." }] },
    missingColumns: ["note", "price"],
    changes: { added: 4, changed: 5, gone: 6 },
    isComplete: false,
  });
  open();
  await page.getByRole("gridcell", { name: "orders.csv" }).click();
  for (const words of [
    /2 rows can't be read and are left out/,
    /orders.csv, line 9/,
    /columns that this one lacks: note, price/,
    /id has 3 doubled and 2 empty values/,
    /4 new, 5 changed, 6 gone/,
    /Counted for 20 seconds/,
  ])
    await expect.element(dialog.getByText(words)).toBeVisible();
  await isSound();
});

test("a choice with which the file can't be read says so, and is taken back", async () => {
  files = [made()];
  open();
  await page.getByRole("gridcell", { name: "orders.csv" }).click();
  await dialog.getByRole("combobox", { name: "Letters are encoded as" }).click();
  await page.getByRole("option", { name: "UTF-16" }).click();
  await expect.element(dialog.getByText("Line 2 is not UTF-16 text.")).toBeVisible();
  await dialog.getByRole("button", { name: "Take the last choice back" }).click();
  await expect.element(dialog.getByRole("combobox", { name: "Letters are encoded as" })).toHaveValue("UTF-8");
});

test("how a file in use is read can be changed later, and a file is deleted only when that is confirmed", async () => {
  files = [made()];
  open();
  await page.getByRole("gridcell", { name: "orders.csv" }).click();
  await dialog.getByRole("combobox", { name: "Between values" }).click();
  await page.getByRole("option", { name: "Comma ," }).click();
  await expect.poll(() => sent.filter((line) => line.endsWith("/preview")).length).toBe(2);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => dialog.elements()).toEqual([]);
  expect(sent.at(-1)).toContain('"settings"');
  await page.getByRole("button", { name: /orders.csv/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("No files yet")).toBeVisible();
});

test("what was refused before it was begun deletes nothing when it is canceled", async () => {
  open();
  await expect.element(page.getByText("No files yet")).toBeVisible();
  refusing = { code: "too_many_files", status: 409, message: "No room." };
  files = [made({ id: OTHER, state: "RECEIVING", received: 0, rows: null })];
  await choose();
  await expect.element(page.getByText(/orders.csv stopped at 0 B of 2.5 MB: No room/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel orders.csv" }).click();
  await expect.poll(() => page.getByRole("list", { name: "Uploads" }).elements()).toEqual([]);
  // Longer than a deletion would need.
  await choose();
  await expect.element(page.getByText(/No room/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel orders.csv" }).click();
  await expect.poll(() => page.getByRole("list", { name: "Uploads" }).elements()).toEqual([]);
  expect(sent.filter((line) => line.startsWith("DELETE"))).toEqual([]);
});

test("an upload goes on where it was only if what has arrived is of the same file", async () => {
  const pieces = () => sent.filter((line) => line.includes("/pieces/")).map((line) => line.split("/").at(-1));
  const piece = await crypto.subtle.digest("SHA-256", new Uint8Array(1_000_000));
  const all = new Uint8Array(await crypto.subtle.digest("SHA-256", piece));
  const arrived = [...all].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  begun = { received: 1_000_000, arrived };
  open();
  await expect.element(page.getByText("No files yet")).toBeVisible();
  await choose();
  await expect.element(dialog.getByText("1 row")).toBeVisible();
  expect(pieces()).toEqual(["1", "2"]);
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => dialog.elements()).toEqual([]);
  sent = [];
  begun = { received: 1_000_000, arrived: "0".repeat(64) };
  failing = [{ status: 409, body: { code: "invalid_state", status: 409, message: "Not the same file any more." } }];
  await choose();
  await expect.element(page.getByText(/stopped at 0 B of 2.5 MB: Not the same file any more/)).toBeVisible();
  expect(pieces()).toEqual(["0"]);
  await page.getByRole("button", { name: "Cancel orders.csv" }).click();
  await expect.poll(() => sent).toContain(`DELETE files/${FILE}`);
});

test("a file that is not saved says when it is deleted", async () => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  files = [made({ state: "RECEIVED", rows: null, expiresAt }), made({ id: OTHER, name: "used.csv" })];
  open();
  const row = page.getByRole("row", { name: /orders.csv/ });
  const when = clockTime(Date.parse(expiresAt), Date.now());
  await expect.element(row.getByText(`kept until ${when}`)).toBeVisible();
  expect(
    page
      .getByRole("row", { name: /used.csv/ })
      .getByText(/kept/)
      .elements(),
  ).toEqual([]);
  await isSound();
});

test("a preview that is opened again shows what was saved meanwhile, and what a change of a file in use means", async () => {
  files = [made()];
  open();
  await page.getByRole("gridcell", { name: "orders.csv" }).click();
  await expect.element(dialog.getByRole("combobox", { name: "Between values" })).toHaveValue("Semicolon ;");
  await dialog.getByRole("combobox", { name: "Between values" }).click();
  await page.getByRole("option", { name: "Comma ," }).click();
  await expect.element(dialog.getByText(/all rows of orders are read again/)).toBeVisible();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => dialog.elements()).toEqual([]);
  table = preview({ settings: { ...table.settings, delimiter: "pipe" } });
  await page.getByRole("gridcell", { name: "orders.csv" }).click();
  await expect.element(dialog.getByRole("combobox", { name: "Between values" })).toHaveValue("Bar |");
  expect(dialog.getByText(/are read again/).elements()).toEqual([]);
});

test("answers are not thrown away by Esc without a question", async () => {
  files = [made({ state: "RECEIVED", rows: null })];
  table = preview({ questions: [{ setting: "dates", column: "day", example: "03/04/2026" }] });
  open();
  await page.getByRole("gridcell", { name: "orders.csv" }).click();
  const answered = dialog.getByRole("radio", { name: "The first: 3 April 2026" });
  await answered.click();
  await userEvent.keyboard("{Escape}");
  const question = page.getByRole("dialog", { name: /discard/i });
  await expect.element(question).toBeVisible();
  await question.getByRole("button", { name: /keep|cancel/i }).click();
  await expect.element(answered).toBeChecked();
  await userEvent.keyboard("{Escape}");
  await question.getByRole("button", { name: /discard/i }).click();
  await expect.poll(() => dialog.elements()).toEqual([]);
});
