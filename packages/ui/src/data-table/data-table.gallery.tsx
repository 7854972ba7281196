/** Tables: sorted and selectable, compact, empty, very long. */
import { IconTable } from "@tabler/icons-react";
import { useState } from "react";
import { CopyableId } from "../copyable-id/copyable-id.tsx";
import { EmptyState } from "../empty-state/empty-state.tsx";
import { StatusTag } from "../status-tag/status-tag.tsx";
import { DataTable } from "./data-table.tsx";
import type { Column } from "./table-model.ts";

interface Row {
  id: string;
  name: string;
  revenue: number;
  state: "Running" | "Paused" | "Error";
}

const NAMES = ["Alder & Sons", "Brightwater Ltd", "Cobalt Foods", "Dunmore Logistics", "Ember Labs"];
const STATES = ["Running", "Paused", "Error"] as const;
const TONE = { Running: "ok", Paused: "idle", Error: "error" } as const;

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: (0x65a1f0000 + index * 7919).toString(16).padStart(24, "0"),
    name: `${NAMES[index % NAMES.length]}${index < NAMES.length ? "" : ` ${index}`}`,
    revenue: (index * 7_331) % 90_000,
    state: STATES[index % 3] ?? "Running",
  }));

const COLUMNS: Column<Row>[] = [
  {
    id: "name",
    header: "Name",
    minWidth: 150,
    sticky: true,
    sortValue: (row) => row.name,
    cell: (row) => <strong>{row.name}</strong>,
  },
  { id: "id", header: "Record id", width: 230, cell: (row) => <CopyableId id={row.id} /> },
  {
    id: "revenue",
    header: "Revenue",
    width: 110,
    align: "end",
    sortValue: (row) => row.revenue,
    cell: (row) => row.revenue.toLocaleString("en-US"),
  },
  {
    id: "state",
    header: "State",
    width: 110,
    sortValue: (row) => row.state,
    cell: (row) => <StatusTag tone={TONE[row.state]}>{row.state}</StatusTag>,
  },
];

export function Selectable() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const rows = rowsOf(5);
  return (
    <DataTable
      label="Accounts"
      columns={COLUMNS}
      rows={rows}
      rowId={(row) => row.id}
      rowLabel={(row) => row.name}
      selected={selected}
      onSelectedChange={setSelected}
      onRowOpen={() => {}}
      activeRow={rows[2]?.id}
      sort={{ column: "name", direction: "ascending" }}
      rowMenu={() => [
        { label: "Open", onSelect: () => {} },
        { label: "Resync", onSelect: () => {}, disabledReason: "Paused; resume it first" },
        { label: "Delete record", onSelect: () => {}, danger: true },
      ]}
      footer={<span>1–5 of 5</span>}
    />
  );
}

export const Compact = () => (
  <DataTable dense label="Accounts, compact" columns={COLUMNS} rows={rowsOf(4)} rowId={(row) => row.id} />
);

export const TenThousandRows = () => (
  <div style={{ height: 260, display: "flex" }}>
    <div style={{ flex: 1, display: "flex", flexDirection: "column", minWidth: 0 }}>
      <DataTable fill label="Many accounts" columns={COLUMNS} rows={rowsOf(10_000)} rowId={(row) => row.id} />
    </div>
  </div>
);

export const Empty = () => (
  <DataTable
    label="No accounts"
    columns={COLUMNS}
    rows={[]}
    rowId={(row) => row.id}
    empty={
      <EmptyState
        icon={<IconTable size={22} />}
        title="No accounts yet"
        body="They appear as soon as a pipeline has run."
      />
    }
  />
);
