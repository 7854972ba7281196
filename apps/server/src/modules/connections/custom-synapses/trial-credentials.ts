/** Secrets with which a draft is tested: sealed, never answered, used for the destinations they were entered for. */
import type { AuthMethod } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { z } from "zod";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SynapseRow, Trial } from "./synapses.store.ts";

type Stored = Pick<SynapseRow, "id" | "trial" | "trial_sealed">;
type Secrets = Pick<Deps, "secrets">;

const Opened = z.record(z.string(), z.string());

const placeOf = (instanceId: Id<"instance">, id: string) => ({
  instanceId,
  table: "http_synapse",
  id,
  field: "trial_sealed",
});

/**
 * What was sent, filled up with what is stored: secrets that are left out keep their value.
 * @throws AppError("credential_host_changed") where stored secrets would go to another destination.
 */
export async function joinTrialCredentials(
  { secrets }: Secrets,
  at: Id<"instance">,
  row: Stored | null,
  method: AuthMethod,
  sent: Readonly<Record<string, string>>,
  destinations: readonly string[],
): Promise<Record<string, string>> {
  const filled = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ""));
  const { plain = {}, secretNames = [], destinations: bound = [] } = row?.trial ?? {};
  const isMissing = method.fields.some(
    ({ name, secret }) => secret && filled[name] === undefined && secretNames.includes(name),
  );
  if (isMissing) {
    const other = destinations.filter((one) => !bound.includes(one));
    if (other.length > 0)
      throw new AppError("credential_host_changed", { host: other.join(", "), hosts: bound.join(", ") });
  }
  const opened =
    isMissing && row?.trial_sealed
      ? Opened.parse(JSON.parse(await secrets.open(placeOf(at, row.id), row.trial_sealed)))
      : {};
  const known: Record<string, string | undefined> = { ...plain, ...opened, ...filled };
  return Object.fromEntries(
    method.fields.flatMap(({ name }) => {
      const value = known[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What is to be stored; secrets that were entered for other destinations are not kept. */
export async function sealTrial(
  { secrets }: Secrets,
  at: Id<"instance">,
  id: string,
  method: AuthMethod,
  credentials: Readonly<Record<string, string>>,
  destinations: readonly string[],
): Promise<{ trial: Trial; trialSealed: string | null }> {
  const isSecret = new Set(method.fields.filter(({ secret }) => secret).map(({ name }) => name));
  const entries = Object.entries(credentials);
  const hidden = entries.filter(([name]) => isSecret.has(name));
  const trial: Trial = {
    plain: Object.fromEntries(entries.filter(([name]) => !isSecret.has(name))),
    secretNames: hidden.map(([name]) => name),
    destinations: [...destinations],
  };
  if (hidden.length === 0) return { trial, trialSealed: null };
  return { trial, trialSealed: await secrets.seal(placeOf(at, id), JSON.stringify(Object.fromEntries(hidden))) };
}
