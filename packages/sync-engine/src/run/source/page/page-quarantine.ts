/** Entries of quarantine for what a page could not take up: records that failed, and what can't be stored or read. */
import type { BadRecord, SourceRecord } from "@accord/connector-sdk";
import type { FlowRecord } from "../../../functions/flow.ts";
import type { SourcePlan } from "../../plan/plan.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";
import type { QuarantineWrite } from "../../protocol/quarantine-entries.ts";
import { shownId } from "../../state/sanitize-records.ts";

/** Of a record that failed on its way. */
export function failed(inbound: InboundRecord, flow: FlowRecord): QuarantineWrite {
  return {
    direction: "source",
    externalId: inbound.record.id,
    recordId: inbound.stored?.recordId ?? null,
    nodeId: flow.failure?.nodeId ?? null,
    code: flow.failure?.code ?? "unexpected",
    message: flow.failure?.message ?? "",
    payload: inbound.record.values,
    ...modifiedAtOf(inbound.record),
  };
}

/** Of a record that the storage can't keep, with its reason. */
export const unstorable = (
  source: SourcePlan,
  { record, reason }: { record: SourceRecord; reason: string },
): QuarantineWrite => ({
  direction: "source",
  externalId: record.id,
  recordId: null,
  nodeId: source.nodeId,
  code: "unstorable",
  message: reason,
  payload: record.deleted ? null : record.values,
  ...modifiedAtOf(record),
});

const modifiedAtOf = ({ modifiedAt }: SourceRecord): { modifiedAt?: string } => (modifiedAt ? { modifiedAt } : {});

/** Of what the connector could not read at all. */
export function unreadable(source: SourcePlan, bad: BadRecord): QuarantineWrite {
  const isSaid = bad.id === undefined || bad.place === `id ${bad.id}`;
  return {
    direction: "source",
    externalId: shownId(bad.id ?? bad.place),
    recordId: null,
    nodeId: source.nodeId,
    code: "unreadable",
    message: isSaid ? bad.message : `${bad.place}: ${bad.message}`,
    payload: bad.excerpt === undefined ? null : { excerpt: bad.excerpt },
  };
}
