/** A page's new rows in COPY's form: records, links, ledger. Made while the page before is committed, where possible. */
import type { Values } from "@accord/contracts/data/values";
import type { CommitBatch, LedgerEntry } from "@accord/sync-engine/run";
import { columnList, columnType, type RecordField } from "../../data/schema/index.ts";
import { type CopyInto, copyValue } from "./copy-rows.store.ts";
import type { RunIdentity } from "./run-storage.store.ts";

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
  const columns = fields.map((field) => ({ apiName: field.apiName, isJson: columnType(field) === "jsonb" }));
  let text = "";
  for (const { recordId, values, origin } of creates) {
    text += recordId;
    for (const { apiName, isJson } of columns) {
      const value = values[apiName];
      text += `\t${isJson ? copyJson(value) : copyValue(value)}`;
    }
    text += hasKeys(origin) ? `\t${copyValue(origin)}\n` : "\t{}\n";
  }
  return { target: `${records} (accord_id, ${columnList([...fields])}, accord_origin)`, text };
}

function linkRows({ link }: PageTables, { placeId, links }: Page): CopyInto {
  let text = "";
  for (const { isNew, externalId, recordId, seen, told, refused, modifiedAt, dead } of links) {
    if (!isNew) continue;
    text += `${placeId}\t${copyValue(externalId)}\t${recordId}\t${copyValue(seen)}\t${copyValue(told)}`;
    text += `\t${copyValue(refused)}\t${copyValue(modifiedAt)}\t${dead}\tnow\n`;
  }
  return { target: `${link} (place, external_id, record_id, seen, told, refused, modified_at, dead, seen_at)`, text };
}

export function ledgerRows(
  { ledger, entityNumber }: Pick<PageTables, "ledger" | "entityNumber">,
  { cycleNumber, versionNumber }: RunIdentity,
  placeId: number,
  entries: readonly LedgerEntry[],
): CopyInto {
  const fixed = `${entityNumber}\t${placeId}\t${cycleNumber}\t${versionNumber}`;
  let text = "";
  for (const { recordId, operation, externalId, changes, refused } of entries) {
    text += `${fixed}\t${recordId}\t${operation}\t${copyValue(externalId)}`;
    text += `\t${copyValue(changes)}\t${copyValue(refused)}\n`;
  }
  const columns = "entity, place, cycle, version_number, record_id, operation, external_id, changes, refused";
  return { target: `${ledger} (${columns})`, text };
}

/** A value for a column that holds JSON: a text is one in quotes there. */
const copyJson = (value: Values[string] | undefined): string =>
  value === null || value === undefined ? copyValue(null) : copyValue(JSON.stringify(value));

const hasKeys = (values: object): boolean => {
  for (const _ in values) return true;
  return false;
};
