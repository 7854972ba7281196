/** A page's new rows in COPY's form: records, links, ledger. Made while the page before is committed, where possible. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { CommitBatch, LedgerEntry } from "@accord/sync-engine/run";
import { columnList, columnType, type RecordField } from "../../data/schema/index.ts";
import { type CopyInto, CopyLines, copyValue } from "./copy-rows.store.ts";
import type { RunIdentity } from "./lease-guard.store.ts";

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
  const lines = new CopyLines();
  for (const { recordId, values, origin } of creates) {
    let line: string = recordId;
    for (const { apiName, isJson } of columns) {
      const value = values[apiName];
      line += `\t${isJson ? copyJson(value) : copyValue(value)}`;
    }
    lines.add(`${line}\t${hasKeys(origin) ? copyValue(origin) : "{}"}\n`);
  }
  return lines.into(`${records} (accord_id, ${columnList([...fields])}, accord_origin)`);
}

function linkRows({ link }: PageTables, { placeId, links }: Page): CopyInto {
  const lines = new CopyLines();
  for (const { isNew, externalId, recordId, seen, told, refused, modifiedAt, dead } of links) {
    if (!isNew) continue;
    const known = `${placeId}\t${copyValue(externalId)}\t${recordId}\t${copyValue(seen)}\t${copyValue(told)}`;
    lines.add(`${known}\t${copyValue(refused)}\t${copyValue(modifiedAt)}\t${dead}\tnow\n`);
  }
  return lines.into(`${link} (place, external_id, record_id, seen, told, refused, modified_at, dead, seen_at)`);
}

export function ledgerRows(
  { ledger, entityNumber }: Pick<PageTables, "ledger" | "entityNumber">,
  { cycleNumber, versionNumber }: RunIdentity,
  placeId: number,
  entries: readonly LedgerEntry[],
): CopyInto {
  const fixed = `${entityNumber}\t${placeId}\t${cycleNumber}\t${versionNumber}`;
  const names = new Map<string, string>();
  const lines = new CopyLines();
  for (const { recordId, operation, externalId, changes, refused } of entries) {
    const whose = `${fixed}\t${recordId}\t${operation}\t${copyValue(externalId)}`;
    lines.add(`${whose}\t${changesJson(changes, names)}\t${copyValue(refused)}\n`);
  }
  const columns = "entity, place, cycle, version_number, record_id, operation, external_id, changes, refused";
  return lines.into(`${ledger} (${columns})`);
}

/**
 * `{"field": [from, to]}` in COPY's form. Most values are texts and numbers in which nothing needs escaping, neither for
 * JSON nor for COPY. `names`: the fields' names as they begin an entry, kept for the page.
 */
function changesJson(changes: LedgerEntry["changes"], names: Map<string, string>): string {
  let text = "{";
  for (const field in changes) {
    const [from, to] = changes[field] ?? [];
    let name = names.get(field);
    if (name === undefined) names.set(field, (name = `${copyValue(JSON.stringify(field))}:[`));
    text += `${text === "{" ? "" : ","}${name}${jsonValue(from)},${jsonValue(to)}]`;
  }
  return `${text}}`;
}

/** What JSON or COPY would write in another way, and halves of characters, which JSON escapes. */
const SPECIAL = /["\\\p{Cc}\p{Cs}]/u;

function jsonValue(value: Value | undefined): string {
  if (typeof value === "string" && !SPECIAL.test(value)) return `"${value}"`;
  return value === null || value === undefined ? "null" : copyValue(JSON.stringify(value));
}

/** A value for a column that holds JSON: a text is one in quotes there. */
const copyJson = (value: Values[string] | undefined): string =>
  value === null || value === undefined ? copyValue(null) : copyValue(JSON.stringify(value));

const hasKeys = (values: object): boolean => {
  for (const _ in values) return true;
  return false;
};
