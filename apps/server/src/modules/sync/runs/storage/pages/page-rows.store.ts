/** A page's new rows in COPY's form: records, links, ledger. Made while the page before is committed, where possible. */
import { timeToPostgres } from "@accord/contracts/data/postgres-time";
import type { CommitBatch, LedgerEntry } from "@accord/sync-engine/run";
import { columnList, columnType, type ColumnType, type RecordField } from "../../../../data/schema/index.ts";
import { type CopyInto, CopyLines } from "./copy-rows.store.ts";
import type { RunIdentity } from "../lease-guard.store.ts";

export interface PageTables {
  /** Tables by their full quoted names. */
  records: string;
  link: string;
  ledger: string;
  fields: readonly RecordField[];
  /** Number of the core entity in the ledger. */
  entityNumber: number;
}

type Page = Pick<CommitBatch, "placeId" | "creates" | "links" | "ledger">;

export function pageRows(tables: PageTables, run: RunIdentity, page: Page): CopyInto[] {
  return [createRows(tables, page), linkRows(tables, page), ledgerRows(tables, run, page.placeId, page.ledger)];
}

function createRows({ records, fields }: PageTables, { creates }: Page): CopyInto {
  const columns = fields.map((field) => ({ apiName: field.apiName, type: columnType(field) }));
  const lines = new CopyLines();
  for (const { recordId, values, origin } of creates) {
    lines.column(recordId);
    for (const { apiName, type } of columns) {
      const value = values[apiName];
      lines.column(typeof value === "string" ? textOf(type, value) : value);
    }
    lines.column(hasKeys(origin) ? origin : "{}");
    lines.endRow();
  }
  return lines.into(`${records} (accord_id, ${columnList([...fields])}, accord_origin)`);
}

function textOf(type: ColumnType, value: string): string {
  switch (type) {
    // A text in a column that holds JSON is one in quotes there.
    case "jsonb":
      return JSON.stringify(value);
    case "date":
    case "timestamptz":
      return timeToPostgres(value);
    default:
      return value;
  }
}

function linkRows({ link }: PageTables, { placeId, links }: Page): CopyInto {
  const lines = new CopyLines();
  for (const { isNew, externalId, recordId, seen, lastWritten, refused, modifiedAt, dead } of links) {
    if (!isNew) continue;
    lines.column(placeId);
    lines.column(externalId);
    lines.column(recordId);
    lines.column(seen);
    lines.column(lastWritten);
    lines.column(refused);
    lines.column(modifiedAt);
    lines.column(dead);
    lines.column("now");
    lines.endRow();
  }
  return lines.into(`${link} (place, external_id, record_id, seen, told, refused, modified_at, dead, seen_at)`);
}

export function ledgerRows(
  { ledger, entityNumber }: Pick<PageTables, "ledger" | "entityNumber">,
  { cycleNumber, versionNumber }: RunIdentity,
  placeId: number,
  entries: readonly LedgerEntry[],
): CopyInto {
  const fixed = `${entityNumber}\t${placeId}\t${cycleNumber}\t${versionNumber}\t`;
  const names = new Map<string, string>();
  const lines = new CopyLines();
  for (const entry of entries) {
    lines.add(fixed);
    lines.column(entry.recordId);
    lines.column(entry.operation);
    lines.column(entry.externalId);
    addChanges(lines, entry, names);
    lines.column(entry.refused);
    lines.endRow();
  }
  const columns = "entity, place, cycle, version_number, record_id, operation, external_id, changes, refused";
  return lines.into(`${ledger} (${columns})`);
}

/**
 * `{"field": [from, to]}`; what a created record holds was nothing before. `names`: the fields' names as they begin an
 * entry, kept for the page.
 */
function addChanges(lines: CopyLines, { changes, created }: LedgerEntry, names: Map<string, string>): void {
  let before = "{";
  for (const field in created ?? changes) {
    const [from, to] = created ? [null, created[field]] : (changes[field] ?? []);
    if (created && (to === null || to === undefined)) continue;
    let name = names.get(field);
    if (name === undefined) names.set(field, (name = `${JSON.stringify(field)}:[`));
    lines.add(before);
    lines.text(name);
    lines.json(from);
    lines.add(",");
    lines.json(to);
    before = "],";
  }
  lines.add(before === "{" ? "{}\t" : "]}\t");
}

const hasKeys = (values: object): boolean => {
  for (const _ in values) return true;
  return false;
};
