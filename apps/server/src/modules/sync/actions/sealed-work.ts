/** What an action was told to do, as the database keeps it: filled with values of records, of which some may be secret. */
import type { ActionCall, ActionWork } from "@accord/sync-engine/actions";
import type { Secrets } from "../../../platform/secrets/secrets.ts";

/** In place of the work: its kind, and all of it sealed. */
interface SealedWork {
  kind: ActionWork["kind"];
  sealed: string;
}

export type StoredWork = ActionWork | SealedWork;

/** A call as it is written down: as it came where no value is secret. */
export type StoredCall = Omit<ActionCall, "work"> & { work: StoredWork };

export const sealedCall = (secrets: Pick<Secrets, "sealValue">, instanceId: string, call: ActionCall): StoredCall => ({
  ...call,
  work: { kind: call.work.kind, sealed: secrets.sealValue(instanceId, JSON.stringify(call.work)) },
});

/** An action as it was called; what older versions wrote down is not sealed. */
export function openedRun<Run extends { instanceId: string; work: StoredWork }>(
  secrets: Pick<Secrets, "openValue">,
  { work, ...run }: Run,
): Omit<Run, "work"> & { work: ActionWork } {
  if (!("sealed" in work)) return { ...run, work };
  const opened = secrets.openValue(run.instanceId, work.sealed);
  if (opened === null) throw new Error("a sealed action belongs to another instance");
  const parsed: ActionWork = JSON.parse(opened);
  return { ...run, work: parsed };
}
