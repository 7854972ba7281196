/** No system is read while it is written: what its pages then show could be from before or after the writes. */
import type { Plan, Run } from "@accord/sync-engine/run";

/** For each page that a source asks for. @throws where the same system is being written */
export function assertNotWritten(plan: Plan, { sinks }: Run, nodeId: string): void {
  const placeId = plan.sources.find((source) => source.nodeId === nodeId)?.place.id;
  const stage = sinks.find((sink) => sink.placeId === placeId)?.state.stage ?? "waiting";
  if (!["waiting", "done", "failed"].includes(stage))
    throw new Error(`${nodeId} is read while it is written (${stage})`);
}
