/** Fields that a system no longer tells: what was there before is no blank, and stays known as it was last seen. */
import type { SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { fieldOf, isExpectation, isKnown, isRead, replaceFields } from "./fingerprint.ts";
import type { SourceMapping, SourcePlan } from "./plan.ts";
import type { StoredLink } from "./stored.ts";
import type { RecordWarning, Traveller } from "./traveller.ts";

const BLANK = hashValue(null);
/** Records that lost a field at once: fewer may have been cleared by people, in systems that leave out empty fields. */
const LEAST_LOST = 2;
const NONE: ReadonlySet<string> = new Set();

/** A record as it is told now, and what is known of it. */
type Sight = Pick<Traveller, "record" | "link">;

/**
 * Connector fields that are gone: no record of the page has them, not even a blank in them, though several had a value
 * there when they were last read. A field that one record lacks while another one has it is empty there.
 */
export function goneFields(source: SourcePlan, page: readonly Sight[]): ReadonlySet<string> {
  let gone: Set<string> | null = null;
  for (const mapping of source.mappings) {
    const lost = lostBy(mapping, page).filter(({ link }) => wasRead(link?.seen ?? null));
    if (lost.length >= LEAST_LOST) (gone ??= new Set()).add(mapping.connectorField);
  }
  return gone ?? NONE;
}

/** What a record shows, with what was known of the fields that are gone; of a new one nothing is known there. */
export function withKnown(source: SourcePlan, shown: string, known: string | null, gone: ReadonlySet<string>): string {
  const { readFields } = source.place;
  const parts = new Map<number, string>();
  for (const field of gone) {
    const index = readFields.indexOf(field);
    parts.set(index, fieldOf(known ?? "", index));
  }
  return replaceFields(shown, readFields.length, parts);
}

/**
 * Warns of each field that no record of the page has, not even a blank in it, though one of them had a value there when
 * it was last seen. Where it is not gone, whether the blank counts is the field's own rule.
 */
export function missingFields(source: SourcePlan, page: readonly Sight[]): RecordWarning[] {
  return source.mappings.flatMap((mapping): RecordWarning[] => {
    const { connectorField, coreField } = mapping;
    return lostBy(mapping, page).map(({ record }) => ({
      nodeId: source.nodeId,
      code: "field_missing",
      message: `The system no longer tells ${connectorField}. Refresh its schema, or change the mapping of ${coreField}.`,
      record: record.id,
      field: coreField,
    }));
  });
}

/** Records that had a value where no record of the page has anything, not even a blank. */
function lostBy({ connectorField, readIndex }: SourceMapping, page: readonly Sight[]): readonly Sight[] {
  if (page.some(({ record }) => tells(record, connectorField))) return [];
  return page.filter(({ link }) => hadValue(link, readIndex));
}

/** What was only written may be a value that the system never took. */
const wasRead = (known: string | null): boolean => isRead(known) && !isExpectation(known);

function hadValue(link: StoredLink | null, readIndex: number): boolean {
  const part = fieldOf(link?.seen ?? "", readIndex);
  return isKnown(part) && part !== BLANK;
}

const tells = ({ values, badFields }: SourceRecord, field: string): boolean =>
  field in values || (badFields?.some((bad) => bad.field === field) ?? false);
