/** How good or bad each outcome of an explanation is. */
import type { ExplainedDestination, ExplainedSource } from "@accord/contracts/sync/monitoring/explain";
import type { Tone } from "@accord/ui";

export const DESTINATION_TONES: Readonly<Record<ExplainedDestination["outcome"], Tone>> = {
  create: "info",
  update: "info",
  delete: "warn",
  up_to_date: "ok",
  filtered: "idle",
  failed: "error",
  not_allowed: "idle",
  put_aside: "warn",
};

export const SOURCE_TONES: Readonly<Record<ExplainedSource["outcome"], Tone>> = {
  changes: "info",
  unchanged: "ok",
  refused: "idle",
  filtered: "idle",
  failed: "error",
  deletes: "warn",
  gone: "warn",
  unreadable: "error",
  no_single_read: "idle",
};
