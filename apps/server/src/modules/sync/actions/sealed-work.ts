/**
 * What an action was told to do and what was answered, as the database keeps it: both hold values of records, of which
 * some may be secret.
 */
import type { Value, Values } from "@accord/contracts/data/values";
import { SecretFields } from "@accord/expressions";
import type { ActionCall, ActionOutcome, ActionPayload } from "@accord/sync-engine/actions";
import type { Secrets } from "../../../platform/secrets/secrets.ts";

/** In place of the work: its kind, and all of it sealed. */
interface SealedWork {
  kind: ActionPayload["kind"];
  sealed: string;
}

export type StoredWork = ActionPayload | SealedWork;

/** A call as it is written down: as it came where no value is secret. */
export type StoredCall = Omit<ActionCall, "work"> & { work: StoredWork };

export const sealedWork = (
  secrets: Pick<Secrets, "sealValue">,
  instanceId: string,
  work: ActionPayload,
): SealedWork => ({
  kind: work.kind,
  sealed: secrets.sealValue(instanceId, JSON.stringify(work)),
});

export const sealedCall = (secrets: Pick<Secrets, "sealValue">, instanceId: string, call: ActionCall): StoredCall => ({
  ...call,
  work: sealedWork(secrets, instanceId, call.work),
});

/** An action as it was called; what older versions wrote down is not sealed. */
export function openedRun<Run extends { instanceId: string; work: StoredWork }>(
  secrets: Pick<Secrets, "openValue">,
  { work, ...run }: Run,
): Omit<Run, "work"> & { work: ActionPayload } {
  if (!("sealed" in work)) return { ...run, work };
  const opened = secrets.openValue(run.instanceId, work.sealed);
  if (opened === null) throw new Error("a sealed action belongs to another instance");
  const parsed: ActionPayload = JSON.parse(opened);
  return { ...run, work: parsed };
}

/** The only name in a sealed body. */
const SEALED_BODY = "sealed";

/**
 * How an action of an entity with secret fields ended: its message loses whatever the action was filled with, for
 * services repeat what they were sent; what they answered, which later nodes read, is sealed.
 */
export function sealedOutcome(
  secrets: Pick<Secrets, "sealValue">,
  { instanceId, work }: { instanceId: string; work: ActionPayload },
  { message, body, ...outcome }: ActionOutcome,
): ActionOutcome {
  return {
    ...outcome,
    message: message && SecretFields.of(null).text(message, textsOf(work)),
    body: body === null ? null : { [SEALED_BODY]: secrets.sealValue(instanceId, JSON.stringify(body)) },
  };
}

/** As it was answered; what was not sealed stays as it is. */
export function openedOutcome(
  secrets: Pick<Secrets, "openValue">,
  instanceId: string,
  outcome: ActionOutcome | null,
): ActionOutcome | null {
  const body = outcome?.body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return outcome;
  const sealed = Object.keys(body).length === 1 ? body[SEALED_BODY] : undefined;
  const opened = typeof sealed === "string" ? secrets.openValue(instanceId, sealed) : null;
  if (!outcome || opened === null) return outcome;
  const answered: Value = JSON.parse(opened);
  return { ...outcome, body: answered };
}

/** Every text in it, by a name of its own. */
function textsOf(work: unknown, path = ""): Values {
  if (typeof work === "string") return { [path]: work };
  if (typeof work !== "object" || work === null) return {};
  return Object.assign({}, ...Object.entries(work).map(([name, part]) => textsOf(part, `${path}/${name}`)));
}
