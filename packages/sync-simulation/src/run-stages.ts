/** At which stage each source and destination of a run stands, as its README draws them. */
import type { Run } from "@accord/sync-engine/run";

export interface RunStages {
  /** By node id. */
  sources: { [nodeId: string]: string };
  /** By place. */
  sinks: { [placeId: string]: string };
}

/** A source that works on no page is `reading` while pages are asked for, or has its turn before or behind it. */
export const stagesOf = (run: Run): RunStages => ({
  sources: Object.fromEntries(
    run.sources.map(({ nodeId, state, work }) => [
      nodeId,
      work.stage !== "idle" ? work.stage : state === "open" ? "reading" : state,
    ]),
  ),
  sinks: Object.fromEntries(run.sinks.map(({ placeId, state }) => [placeId, state.stage])),
});
