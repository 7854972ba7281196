/** The HTTP request that a custom action makes for given variables, with its secret; it goes to no other origin. */
import type { Id } from "@accord/contracts";
import type { Value, Values } from "@accord/contracts/data/values";
import { fillAddress, fillBody, fillHeader, type HttpWork, isJson } from "@accord/sync-engine/actions";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { type Definition, findAction, type StoredAction } from "./custom-actions.store.ts";

type InstanceId = Id<"instance">;
type RequestDeps = Pick<Deps, "appDb" | "secrets">;

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

export const secretPlace = (at: InstanceId, id: string) => ({
  instanceId: at,
  table: "custom_action",
  id,
  field: "secret",
});

/** `https://host:port` of a filled or unfilled endpoint; throws `validation_failed` where that is no fixed text. */
export function originOf(endpoint: string): string {
  const origin = /^https?:\/\/[^/?#{}@\s]+(?=[/?#]|$)/i.exec(endpoint)?.[0];
  if (!origin || !URL.canParse(origin)) {
    const message = "must begin with https:// and a host; variables may follow after it";
    throw new AppError("validation_failed", {}, { errors: [{ path: "endpoint", message }] });
  }
  return new URL(origin).origin;
}

export interface CustomRequests {
  /** One request for the variables of one record, of several where the action takes batches. null: it is gone. */
  requestFor(at: InstanceId, actionId: string, records: readonly Values[]): Promise<HttpWork | null>;
  /** For how many records one request is made. */
  batchSizeOf(at: InstanceId, actionId: string): Promise<number>;
}

export function customRequests(deps: RequestDeps): CustomRequests {
  return {
    async requestFor(at, actionId, records) {
      const action = await findAction(deps.appDb, at, actionId);
      if (!action) return null;
      const variables = withRecords(action.definition, records);
      return buildRequest(action.definition, variables, await openSecret(deps, at, action));
    },
    async batchSizeOf(at, actionId) {
      const action = await findAction(deps.appDb, at, actionId);
      return action?.definition.isBatch ? action.definition.batchSize : 1;
    },
  };
}

/** Name of the list of all records of a batch, in its body. */
export const BATCH_RECORDS = "records";

/** Addresses and headers are filled for the first of them. */
export const withRecords = ({ isBatch }: Pick<Definition, "isBatch">, records: readonly Values[]): Values =>
  isBatch ? { ...records[0], [BATCH_RECORDS]: [...records] } : { ...records[0] };

/** Throws `credential_host_changed` when it was entered for another origin than the endpoint's. */
export async function openSecret(
  { secrets }: Pick<Deps, "secrets">,
  at: InstanceId,
  action: Pick<StoredAction, "id" | "secret" | "secretHost"> & { definition: Definition },
): Promise<string | null> {
  if (action.secret === null) return null;
  const origin = originOf(action.definition.endpoint);
  if (origin !== action.secretHost)
    throw new AppError("credential_host_changed", { host: origin, hosts: action.secretHost ?? "" });
  return secrets.open(secretPlace(at, action.id), action.secret);
}

export function buildRequest(definition: Definition, variables: Values, secret: string | null): HttpWork {
  const read = (name: string): Value => variables[name] ?? null;
  const headers: Record<string, string> = {};
  for (const { name, value } of definition.headers) headers[name.toLowerCase()] = fillHeader(value, read);
  const body = definition.body === "" ? null : fillBody(definition.body, read);
  if (body !== null) headers["content-type"] ??= isJson(body) ? "application/json" : "text/plain";
  const credential = credentialHeader(definition, secret);
  return {
    kind: "http",
    method: definition.method,
    url: fillAddress(definition.endpoint, read),
    headers: { ...headers, ...credential },
    secretHeaders: Object.keys(credential),
    body,
    timeoutMs: TIMEOUT_MS,
    retries: RETRIES,
    isRepeatable: definition.repeatable,
  };
}

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
      return { authorization: `Basic ${Buffer.from(`${authentication.userName}:${secret}`).toString("base64")}` };
    case "apiKey":
      return { [authentication.headerName.toLowerCase()]: secret };
  }
}
