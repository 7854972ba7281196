/** The tie between an external record and its core record, once its page is in. */
import type { Values } from "@accord/contracts/data/values";
import { keyChange } from "../../sink/creation/key-changes.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";
import type { Merged } from "../../merge/merge.ts";
import type { SinkPlan, SourcePlan } from "../../plan/plan.ts";
import type { LinkWrite } from "../../protocol/storage.ts";
import { asExpectation, isExpectation } from "../fingerprint.ts";
import { type SinkState, sinkStateAfter } from "../sink-state.ts";

/** What became of the core record; `values` are null when it is deleted. */
interface Outcome {
  recordId: string;
  values: Values | null;
  refused: Merged["refused"];
}

export interface LinkUpdate extends Pick<SinkState, "waits" | "unfit" | "arrived"> {
  /** Null when it is as it was. */
  write: LinkWrite | null;
  /** A delivery is to be made: the place holds something else than it should, or lacks what does not fit since now. */
  differs: boolean;
}

/** `sink`: the destination at the same place, if there is one. */
export function computeLinkUpdate(
  sink: SinkPlan | null,
  source: SourcePlan,
  inbound: InboundRecord,
  { recordId, values, refused: refusedValues }: Outcome,
): LinkUpdate {
  const { link, record, isAlias } = inbound;
  // What is shown late is still awaited.
  const isAwaited = (inbound.late?.size ?? 0) > 0 && isExpectation(link?.seen ?? null);
  const seen = isAwaited ? asExpectation(inbound.seen) : inbound.seen;
  // A second external record of one thing is not told what the record says; but what it shows is known, should its own
  // record ever come back.
  const state = sink
    ? sinkStateAfter(sink, source, inbound, isAlias ? null : values, isAlias ? null : refusedValues)
    : ONLY_READ;
  const { lastWritten, refused } = sink ? state : (link ?? ONLY_READ);
  const judged = inbound.spelling ? inbound.spelling.respelled : (link?.respelled ?? null);
  // A new row keeps no notes of writes to the one whose record it takes over.
  const respelled = inbound.isSuccessor ? null : judged;
  const modifiedAt = latest(record.modifiedAt ?? null, link?.modifiedAt ?? null);
  const isSame =
    link !== null &&
    !inbound.isSuccessor &&
    link.seen === seen &&
    link.lastWritten === lastWritten &&
    link.refused === refused &&
    link.respelled === respelled &&
    link.modifiedAt === modifiedAt &&
    (link.recordId === recordId || isAlias) &&
    !link.heldBack &&
    !link.dead;
  // Nothing was sent to this external record for this core record yet, and so nothing was refused.
  const isUnfitSinceNow = state.unfit && (link === null || link.dead || link.recordId !== recordId);
  const { waits, unfit, arrived } = state;
  const differs = state.differs || isUnfitSinceNow;
  if (isSame) return { write: null, differs, waits, unfit, arrived };
  const write: LinkWrite = {
    externalId: record.id,
    recordId: isAlias && link ? link.recordId : recordId,
    seen,
    lastWritten,
    refused,
    respelled,
    modifiedAt,
    dead: false,
    isNew: link === null || inbound.isSuccessor === true,
  };
  if (link !== null && !isAlias && link.recordId !== recordId) write.isMoved = true;
  if (sink && link) Object.assign(write, keyChange(sink, { before: link.lastWritten, after: lastWritten }, 0));
  return { write, differs, waits, unfit, arrived };
}

const ONLY_READ = { lastWritten: null, refused: null, differs: false, waits: false, unfit: false, arrived: false };

const latest = (left: string | null, right: string | null): string | null =>
  left === null || (right !== null && right > left) ? right : left;
