/** Use cases of duplicates that were only reported: a person merges those chosen, or says that they are different things. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { Id } from "@accord/contracts";
import type { MergeChoice } from "@accord/contracts/sync/merges";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { DuplicateMerger, MergeRefusal } from "../runs/index.ts";
import type { MergeRow, MergesStore } from "./merges.store.ts";

const REFUSALS: Readonly<Record<MergeRefusal, string>> = {
  notReported: syncRefusals.notReported,
  gone: syncRefusals.recordsGone,
  noRules: syncRefusals.noMergeRules,
};

export interface ReportedParts {
  merger: DuplicateMerger;
  merges: Pick<MergesStore, "dismiss">;
}

export async function mergeReported(
  { merger }: ReportedParts,
  { instanceId, actor }: Caller,
  report: MergeRow,
  choice: MergeChoice,
): Promise<void> {
  const members = [report.winnerId, ...report.loserIds];
  const winnerId = choice.winnerId ?? report.winnerId;
  const loserIds = choice.loserIds ?? members.filter((id) => id !== winnerId);
  const strangers = [winnerId, ...loserIds].filter((id) => !members.includes(id));
  if (strangers.length > 0) throw new AppError("not_found", { what: "Record" });
  if (loserIds.includes(winnerId)) throw invalidField("loserIds", syncRefusals.namesTheKeptOne);
  const outcome = await merger.mergeDuplicates({
    instanceId,
    entityId: report.pipelineId,
    mergeId: report.id,
    winnerId,
    loserIds,
    othersReported: members.filter((id) => id !== winnerId && !loserIds.includes(id)),
    actor: { userId: actor.userId, name: nameOf(actor) },
  });
  if (outcome.status === "notReady") throw new AppError("invalid_state", { reason: outcome.message });
  if (outcome.status === "refused") throw new AppError("invalid_state", { reason: REFUSALS[outcome.reason] });
}

/** They are different things, for good: none of them is compared with another one again. */
export async function dismissReported(
  { merges }: ReportedParts,
  { instanceId, actor }: Caller,
  report: MergeRow,
): Promise<void> {
  const members: Id<"record">[] = [report.winnerId, ...report.loserIds];
  const pairs = members.flatMap((winner, index) => members.slice(index + 1).map((loser) => [loser, winner] as const));
  if (!(await merges.dismiss(instanceId, report.id, pairs, nameOf(actor))))
    throw new AppError("invalid_state", { reason: REFUSALS.notReported });
}

const nameOf = ({ firstName, lastName }: Caller["actor"]): string => `${firstName} ${lastName}`.trim();
