/** Fields that a system no longer tells: what was there before must not become blank without anybody's hearing of it. */
import type { SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { fieldOf, isKnown } from "./fingerprint.ts";
import type { RecordWarning, Traveller } from "./traveller.ts";
import type { SourcePlan } from "./plan.ts";

const BLANK = hashValue(null);

/**
 * Warns of each field that no record of the page has, not even a blank in it, though one of them had a value there when
 * it was last seen. Whether the blank then counts is the field's own rule.
 */
export function missingFields(source: SourcePlan, travellers: readonly Traveller[]): RecordWarning[] {
  const [first] = travellers;
  if (!first) return [];
  return source.mappings.flatMap(({ connectorField, coreField, readIndex }): RecordWarning[] => {
    if (connectorField in first.record.values) return [];
    if (travellers.some(({ record }) => tells(record, connectorField))) return [];
    const hadValue = ({ link }: Traveller): boolean => {
      const part = fieldOf(link?.seen ?? "", readIndex);
      return isKnown(part) && part !== BLANK;
    };
    return travellers.filter(hadValue).map(({ record }) => ({
      nodeId: source.nodeId,
      code: "field_missing",
      message: `The system no longer tells ${connectorField}. Refresh its schema, or change the mapping of ${coreField}.`,
      record: record.id,
      field: coreField,
    }));
  });
}

const tells = ({ values, badFields }: SourceRecord, field: string): boolean =>
  field in values || (badFields?.some((bad) => bad.field === field) ?? false);
