/** The table by mouse and keyboard: order, selection, opening, the row menu, ten thousand rows. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { DataTable } from "./data-table.tsx";
import type { Column } from "./table-model.ts";

interface Row {
  id: string;
  name: string;
  revenue: number | null;
}

const ROWS: Row[] = [
  { id: "b", name: "Brightwater", revenue: 20 },
  { id: "a", name: "Alder", revenue: 300 },
  { id: "c", name: "Cobalt", revenue: null },
  { id: "d", name: "Dunmore", revenue: 4 },
];
const COLUMNS: Column<Row>[] = [
  { id: "name", header: "Name", cell: (row) => row.name, sortValue: (row) => row.name },
  { id: "revenue", header: "Revenue", align: "end", cell: (row) => row.revenue, sortValue: (row) => row.revenue },
];

const names = () =>
  [...document.querySelectorAll("[data-row-index]")].map((row) => row.querySelector("[role=gridcell]")?.textContent);

function Selectable({ onOpen = () => {} }: { onOpen?: (row: Row) => void }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <DataTable
        label="Accounts"
        columns={COLUMNS}
        rows={ROWS}
        rowId={(row) => row.id}
        rowLabel={(row) => row.name}
        selected={selected}
        onSelectedChange={setSelected}
        onRowOpen={onOpen}
        rowMenu={(row) => [
          { label: "Open", onSelect: () => onOpen(row) },
          { label: "Delete", onSelect: () => {}, danger: true, disabledReason: "Pause it first" },
        ]}
      />
      <output>{[...selected].sort().join(",")}</output>
    </>
  );
}

test("a column keeps the width it was dragged to where its owner keeps it, and shares the room again after a double press", async () => {
  function Kept() {
    const [widths, setWidths] = useState<Readonly<Record<string, number>>>({ name: 240 });
    return (
      <>
        <DataTable
          label="Accounts"
          columns={COLUMNS}
          rows={ROWS}
          rowId={(row) => row.id}
          widths={widths}
          onWidthsChange={setWidths}
        />
        <output>{JSON.stringify(widths)}</output>
      </>
    );
  }
  show(<Kept />);
  const kept = (): unknown => JSON.parse(document.querySelector("output")?.textContent ?? "");
  await expect.element(page.getByRole("columnheader", { name: "Name" })).toBeVisible();
  const header = page.getByRole("columnheader", { name: "Name" }).element();
  expect(header.getBoundingClientRect().width).toBe(240);
  const grip = header.querySelector(".ac-table__grip");
  const press = (type: string, clientX: number) =>
    grip?.dispatchEvent(new PointerEvent(type, { clientX, pointerId: 1, bubbles: true, cancelable: true }));
  // The browser knows of no pointer that was pressed by a test.
  if (grip) Object.assign(grip, { setPointerCapture: () => {} });
  press("pointerdown", 240);
  press("pointermove", 300);
  press("pointerup", 300);
  await expect.poll(kept).toEqual({ name: 300 });
  expect(header.getBoundingClientRect().width).toBe(300);
  grip?.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
  await expect.poll(kept).toEqual({});
});

test("a header orders up, down and back again; empty values stay last", async () => {
  show(<DataTable label="Accounts" columns={COLUMNS} rows={ROWS} rowId={(row) => row.id} />);
  const revenue = page.getByRole("button", { name: "Revenue" });
  await revenue.click();
  await expect.poll(names).toEqual(["Dunmore", "Brightwater", "Alder", "Cobalt"]);
  await revenue.click();
  await expect.poll(names).toEqual(["Alder", "Brightwater", "Dunmore", "Cobalt"]);
  await expect.element(page.getByRole("columnheader", { name: "Revenue" })).toHaveAttribute("aria-sort", "descending");
  await revenue.click();
  await expect.poll(names).toEqual(["Brightwater", "Alder", "Cobalt", "Dunmore"]);
});

test("Shift selects a range, and the box in the header selects and clears all", async () => {
  show(<Selectable />);
  await page.getByRole("checkbox", { name: "Select row Brightwater" }).click();
  await page.getByRole("checkbox", { name: "Select row Cobalt" }).click({ modifiers: ["Shift"] });
  await expect.element(page.getByRole("status")).toHaveTextContent("a,b,c");
  const all = page.getByRole("checkbox", { name: "Select all rows" });
  await all.click();
  await expect.element(page.getByRole("status")).toHaveTextContent("a,b,c,d");
  await all.click();
  await expect.element(page.getByRole("status")).toHaveTextContent("");
});

test("arrows walk the rows, Space selects, Enter opens; a press on a box opens nothing", async () => {
  const opened: string[] = [];
  show(<Selectable onOpen={(row) => opened.push(row.id)} />);
  await page.getByRole("checkbox", { name: "Select row Brightwater" }).click();
  expect(opened).toEqual([]);
  await page.getByRole("gridcell", { name: "Brightwater" }).click();
  await expect.poll(() => opened).toEqual(["b"]);
  document.querySelector<HTMLElement>("[data-row-index='0']")?.focus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(() => document.activeElement?.getAttribute("data-row-index")).toBe("1");
  await userEvent.keyboard(" {Enter}");
  await expect.poll(() => opened).toEqual(["b", "a"]);
  await expect.element(page.getByRole("status")).toHaveTextContent("a,b");
});

test("arrows that follow one another at once move the focus by a row each", async () => {
  show(<Selectable />);
  await expect.element(page.getByRole("gridcell", { name: "Brightwater" })).toBeVisible();
  document.querySelector<HTMLElement>("[data-row-index='0']")?.focus();
  const press = async (key: string) => {
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await Promise.resolve();
  };
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) await press(key);
  expect(document.activeElement?.getAttribute("data-row-index")).toBe("2");
});

test("a row's menu says why an action can't be done", async () => {
  show(<Selectable />);
  await page.getByRole("button", { name: "More actions: Alder" }).click();
  const remove = page.getByRole("menuitem", { name: /^Delete.*Pause it first/ });
  await expect.element(remove).toHaveAttribute("data-disabled", "true");
});

test("of ten thousand rows only those in view are drawn, and End leads to the last one", async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    id: String(index),
    name: `Row ${index}`,
    revenue: index,
  }));
  show(
    <div style={{ height: 300, display: "flex", flexDirection: "column" }}>
      <DataTable fill label="Many" columns={COLUMNS} rows={rows} rowId={(row) => row.id} />
    </div>,
  );
  await expect.element(page.getByRole("gridcell", { name: "Row 0", exact: true })).toBeVisible();
  expect(names().length).toBeLessThan(80);
  document.querySelector<HTMLElement>("[data-row-index='0']")?.focus();
  await userEvent.keyboard("{End}");
  await expect.element(page.getByRole("gridcell", { name: "Row 9999" })).toBeVisible();
  expect(names().length).toBeLessThan(80);
});

test("bare words too long for their cell end in an ellipsis and are told in full by the tooltip", async () => {
  const long = "Billing, Harbor CRM, and everything else that is connected";
  show(
    <div style={{ width: 260 }}>
      <DataTable
        label="Narrow"
        columns={COLUMNS}
        rows={[{ id: "x", name: long, revenue: 1 }]}
        rowId={(row) => row.id}
      />
    </div>,
  );
  const words = page.getByTitle(long);
  await expect.element(words).toBeVisible();
  const { scrollWidth, clientWidth } = words.element();
  expect(scrollWidth).toBeGreaterThan(clientWidth);
  expect(getComputedStyle(words.element()).textOverflow).toBe("ellipsis");
});

test("a head is not cut while there is room, however narrow its column was meant", async () => {
  const columns: Column<Row>[] = [
    { id: "name", header: "Name", cell: (row) => row.name },
    { id: "when", header: "Last completed", width: 60, cell: () => "now", sortValue: (row) => row.name },
    { id: "sum", header: "Transactions", width: 60, align: "end", cell: () => 0, sortValue: (row) => row.revenue },
  ];
  show(
    <div style={{ width: 700 }}>
      <DataTable label="Heads" columns={columns} rows={ROWS} rowId={(row) => row.id} />
    </div>,
  );
  for (const head of ["Last completed", "Transactions"]) {
    await expect.element(page.getByText(head, { exact: true })).toBeVisible();
    const words = page.getByText(head, { exact: true }).element();
    expect(words.scrollWidth, head).toBeLessThanOrEqual(words.clientWidth);
  }
});
