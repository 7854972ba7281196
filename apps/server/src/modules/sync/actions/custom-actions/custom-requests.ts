/** Requests of stored custom actions: their variables fitted, their secret opened, and what repeats it masked. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import type { Id } from "@accord/contracts";
import type { Values } from "@accord/contracts/data/values";
import {
  customRequest,
  fitVariables,
  fixedOrigin,
  type HttpWork,
  NO_FIXED_ORIGIN,
  problemText,
} from "@accord/sync-engine/actions";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { CredentialMask } from "../../../connections/connectors/index.ts";
import { type Attempt, refused } from "../attempt.ts";
import { type Definition, findAction, type StoredAction } from "./custom-actions.store.ts";

type InstanceId = Id<"instance">;
type RequestDeps = Pick<Deps, "appDb" | "secrets">;

export const secretPlace = (at: InstanceId, id: string) => ({
  instanceId: at,
  table: "custom_action",
  id,
  field: "secret",
});

/** `https://host:port` of a filled or unfilled endpoint; throws `validation_failed` where that is no fixed text. */
export function originOf(endpoint: string): string {
  const origin = fixedOrigin(endpoint);
  if (origin === null) throw new AppError("validation_failed", {}, { errors: [NO_FIXED_ORIGIN] });
  return origin;
}

export interface PreparedRequest {
  request: HttpWork;
  /** Of what the receiver answers: some repeat what they were sent. */
  mask: CredentialMask;
}

export interface Batching {
  /** For how many records one request is made. */
  size: number;
  /** Whether the action can be performed with these variables: others have to fail alone. */
  fits(variables: Values): boolean;
}

export interface CustomRequests {
  /** One request for the variables of one record, of several where the action takes batches; or why there is none. */
  requestFor(
    instanceId: InstanceId,
    actionId: string,
    records: readonly Values[],
  ): Promise<PreparedRequest | { refusal: Attempt }>;
  batchingOf(instanceId: InstanceId, actionId: string): Promise<Batching>;
}

export function customRequests(deps: RequestDeps): CustomRequests {
  return {
    async requestFor(instanceId, actionId, records) {
      const action = await findAction(deps.appDb, instanceId, actionId);
      if (!action) return { refusal: refused("custom_action_unknown", actionFailures.customActionDeleted) };
      const fitted = records.map((record) => fitVariables(action.definition.variables, record));
      const problems = fitted.flatMap((each) => each.problems);
      if (problems.length > 0) return { refusal: refused("variable_invalid", problemText(problems)) };
      const secret = await openSecret(deps, instanceId, action);
      return prepareRequest(
        action.definition,
        fitted.map(({ values }) => values),
        secret,
      );
    },
    async batchingOf(instanceId, actionId) {
      const action = await findAction(deps.appDb, instanceId, actionId);
      const variables = action?.definition.variables ?? [];
      return {
        size: action?.definition.isBatch ? action.definition.batchSize : 1,
        fits: (given) => fitVariables(variables, given).problems.length === 0,
      };
    },
  };
}

/** Throws `credential_host_changed` when it was entered for another origin than the endpoint's. */
export async function openSecret(
  { secrets }: Pick<Deps, "secrets">,
  at: InstanceId,
  action: Pick<StoredAction, "id" | "secret" | "secretHost"> & { definition: Pick<Definition, "endpoint"> },
): Promise<string | null> {
  if (action.secret === null) return null;
  const origin = originOf(action.definition.endpoint);
  if (origin !== action.secretHost)
    throw new AppError("credential_host_changed", { host: origin, hosts: action.secretHost ?? "" });
  return secrets.open(secretPlace(at, action.id), action.secret);
}

export function prepareRequest(
  definition: Definition,
  records: readonly Values[],
  secret: string | null,
): PreparedRequest {
  const mask = new CredentialMask([], secret === null ? {} : { secret });
  const { authentication } = definition;
  if (secret !== null && authentication.type === "basic") mask.learn(basicToken(authentication.userName, secret));
  return { request: customRequest(definition, records, credentialHeader(definition, secret)), mask };
}

const basicToken = (userName: string, secret: string): string =>
  Buffer.from(`${userName}:${secret}`).toString("base64");

/** How the receiver knows who calls. */
export function credentialHeader(
  { authentication }: Pick<Definition, "authentication">,
  secret: string | null,
): Record<string, string> {
  if (secret === null) return {};
  switch (authentication.type) {
    case "none":
      return {};
    case "bearer":
      return { authorization: `Bearer ${secret}` };
    case "basic":
      return { authorization: `Basic ${basicToken(authentication.userName, secret)}` };
    case "apiKey":
      return { [authentication.headerName.toLowerCase()]: secret };
  }
}
