/** The resync form: what is chosen, what is wrong with it, and the request it becomes. */
import type { ResyncRequest } from "@accord/contracts/sync/monitoring/runs";

export interface ResyncForm {
  scope: ResyncRequest["scope"];
  sources: readonly string[];
  /** Local date-times as the inputs give them; empty when not chosen. */
  from: string;
  to: string;
}

export type ResyncFault =
  | "sources_missing"
  | "from_missing"
  | "to_missing"
  | "from_in_future"
  | "to_in_future"
  | "to_before_from";

/** Faults of the form at a moment, in the order of its inputs. */
export function resyncFaults(form: ResyncForm, now: Date): ResyncFault[] {
  const faults: ResyncFault[] = [];
  const needsFrom = form.scope !== "all";
  const needsTo = form.scope === "between";
  if (form.sources.length === 0) faults.push("sources_missing");
  if (needsFrom && !form.from) faults.push("from_missing");
  if (needsFrom && form.from && new Date(form.from) > now) faults.push("from_in_future");
  if (needsTo && !form.to) faults.push("to_missing");
  if (needsTo && form.to && new Date(form.to) > now) faults.push("to_in_future");
  if (needsTo && form.from && form.to && new Date(form.to) < new Date(form.from)) faults.push("to_before_from");
  return faults;
}

export function toResyncRequest(form: ResyncForm): ResyncRequest {
  const at = (text: string) => (text ? new Date(text).toISOString() : null);
  return {
    scope: form.scope,
    sourceEntityIds: [...form.sources],
    from: form.scope === "all" ? null : at(form.from),
    to: form.scope === "between" ? at(form.to) : null,
  };
}
