/** Systems that pipelines can't use just now: one judgement, read by Home and wherever the state of a system is shown. */
import type { HealthReason } from "@accord/contracts/sync/monitoring/health";
import { type PipelineRow, listPipelines } from "@accord/contracts/sync/pipelines";
import { MENU_STATE } from "@accord/sync-engine/lifecycle";
import { StatusTag } from "@accord/ui";
import { useQuery } from "@tanstack/react-query";
import { polling } from "../app/queries.ts";
import { useCan } from "../app/session.ts";
import { useWords } from "../app/words.ts";
import { everyPipeline } from "./every-pipeline.ts";
import { NextTry, reasonTone } from "./health.tsx";
import { Since } from "./since.tsx";

export const pipelineRowsKey = [listPipelines.name, "every page"] as const;

/** All published pipelines and drafts with their health, however many there are. */
export const usePipelineRows = () =>
  useQuery({
    queryKey: pipelineRowsKey,
    queryFn: ({ signal }) => everyPipeline({ unmapped: "hide" }, signal),
    enabled: useCan("READ_STUDIO"),
    ...polling(),
  });

/** One that is only waited for may answer any moment. */
const FAILS: ReadonlySet<HealthReason["state"]> = new Set(["FAILING", "RETRYING"]);

/** Systems that a pipeline could not use, by connector: since when, and when the first of its pipelines asks it again. */
export function failingSystems(rows: readonly Pick<PipelineRow, "health">[]): ReadonlyMap<string, HealthReason> {
  const failing = new Map<string, HealthReason>();
  for (const reason of rows.flatMap(({ health }) => health?.reasons ?? [])) {
    const { connectorId, since, state } = reason;
    if (connectorId === null || since === null || !FAILS.has(state)) continue;
    const known = failing.get(connectorId);
    const nextTryAt = earlier(known?.nextTryAt, reason.nextTryAt);
    const longest = known?.since && known.since <= since ? known : reason;
    failing.set(connectorId, { ...longest, nextTryAt });
  }
  return failing;
}

const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one !== undefined && (other === undefined || one < other) ? one : other;

/** It waits before it asks a failing system again. */
export const waitsForSystem = ({ health, syncStatus }: Pick<PipelineRow, "health" | "syncStatus">): boolean =>
  MENU_STATE[syncStatus] === "running" && failingSystems([{ health }]).size > 0;

/** Empty for who may not see pipelines. */
export const useFailingSystems = (): ReadonlyMap<string, HealthReason> =>
  failingSystems(usePipelineRows().data?.rows ?? []);

/** A system that pipelines can't use just now, whatever its connection was when it was made. */
export function FailingSince({ reason }: { reason: HealthReason | undefined }) {
  const { t } = useWords("identity");
  if (!reason?.since) return null;
  return (
    <StatusTag tone={reasonTone(reason)} title={String(reason.facts["reason"] ?? "")}>
      <Since at={reason.since} words={(time) => t("home.failingSince", { time })} />
      <NextTry at={reason.nextTryAt} />
    </StatusTag>
  );
}
