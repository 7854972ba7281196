/**
 * Values that a destination's fields can't take: too long, out of range, of another kind. The rest of their record is
 * written; its delivery is parked, with what the fields take now, and due again once they take something else. So a value
 * is in sight for as long as it is not there, whatever is written meanwhile.
 */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value } from "@accord/contracts/data/values";
import { holds } from "../state/fingerprint.ts";
import type { SinkMapping, SinkPlan } from "../plan/plan.ts";
import type { RecordWarning } from "../protocol/inbound-record.ts";
import type { DeliveryResult } from "../protocol/storage.ts";
import type { StoredLink } from "../protocol/stored.ts";

/** By connector field: the core's values. */
export type UnfitValues = Readonly<Record<string, Value>>;

/** Whether the place holds the core's value as it stands: its schema may be older than its records. */
export const isHeldAsItIs = ({ writeIndex }: SinkMapping, link: StoredLink | null, value: Value): boolean =>
  holds(link?.lastWritten ?? null, writeIndex, hashValue(value));

/** What becomes of a record that is written, or needs not be, but for these values. */
export function withUnfit(
  { fits }: SinkPlan,
  settled: DeliveryResult,
  unfit: UnfitValues | undefined,
  externalId: string,
): DeliveryResult {
  if (unfit === undefined) return settled;
  const { recordId, result } = settled;
  const refused = Object.fromEntries(
    Object.entries(unfit).map(([field, value]): [string, [Value, "not_convertible"]] => [
      field,
      [value, "not_convertible"],
    ]),
  );
  const entry = settled.ledger ?? { recordId, operation: "write" as const, externalId, changes: {} };
  const noted = { ...settled, ledger: { ...entry, refused } };
  return result === "done" ? { ...noted, result: "parked", unfit: fits } : noted;
}

/** What people learn of them from the cycle. */
export const warningsOfUnfit = ({ nodeId }: SinkPlan, { unfit, ledger }: DeliveryResult): RecordWarning[] =>
  Object.keys((unfit && ledger?.refused) || {}).map((field) => ({
    nodeId,
    code: "not_convertible",
    message: fill(runTexts.valuesNotWritten, { field }),
    record: ledger?.externalId ?? "",
    field,
    sample: fill(runTexts.sampleRecord, { record: ledger?.externalId ?? "" }),
  }));
