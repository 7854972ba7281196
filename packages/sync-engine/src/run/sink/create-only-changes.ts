/** Changes of fields that a sink only takes when a record is created there. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { isKnown, fieldOf } from "../state/fingerprint.ts";
import { type SinkMapping, type SinkPlan } from "../plan/plan.ts";
import type { StoredLink } from "../protocol/stored.ts";
import type { RecordWarning } from "../protocol/inbound-record.ts";
import { readIndexAt } from "../state/fields/read-index.ts";
import { type WritePreparation, valueFor } from "./prepare-writes.ts";

/**
 * Changed values of fields that the destination only takes when a record is created, such as the key of a table: the
 * record there keeps its old one.
 */
export function createOnlyChanges(sink: SinkPlan, { claimed, living, execution }: WritePreparation): RecordWarning[] {
  const fixed = sink.update ? sink.mappings.filter(({ createOnly }) => createOnly) : [];
  if (fixed.length === 0 || execution.state === "suspended") return [];
  const deliveries = new Map(living.map((delivery) => [delivery.recordId, delivery]));
  return execution.completed.flatMap((flow) => {
    const link = deliveries.get(flow.recordId ?? "")?.link;
    if (!link || link.dead || flow.failure) return [];
    return fixed
      .filter((mapping) =>
        isKept(sink, mapping, link, valueFor(mapping, flow.values[mapping.coreField] ?? null, claimed)),
      )
      .map(({ coreField, connectorField, isComputed }) => ({
        nodeId: sink.nodeId,
        code: "create_only",
        message: fill(runTexts.createOnly, { field: connectorField }),
        record: link.externalId,
        ...(isComputed ? {} : { field: coreField }),
      }));
  });
}

/** Whether the record there was created with another value, and does not show this one either. */
function isKept(sink: SinkPlan, { writeIndex }: SinkMapping, link: StoredLink, value: Value | undefined): boolean {
  if (value === undefined || link.lastWritten === null) return false;
  const lastWritten = fieldOf(link.lastWritten, writeIndex);
  const read = readIndexAt(sink.place, writeIndex);
  const seen = read === undefined || link.seen === null ? null : fieldOf(link.seen, read);
  const hash = hashValue(value);
  return isKnown(lastWritten) && lastWritten !== hash && seen !== hash;
}
