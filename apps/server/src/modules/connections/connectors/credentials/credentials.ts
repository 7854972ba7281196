/** Secrets of connectors: split from plain inputs, sealed, bound to the destinations they were entered for, opened in one place. */
import { findConnectorType } from "@accord/connectors";
import type { AuthMethod, ConnectorDefinition } from "@accord/connector-sdk";
import type { FieldProblem, Id } from "@accord/contracts";
import { z } from "zod";
import type { Db } from "../../../../platform/db/db.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { findCredential, saveCredential, type CredentialRow } from "../connectors.store.ts";
import { readLooselyBound, saveDestinations } from "./destinations.store.ts";

type InstanceId = Id<"instance">;
type Secrets = Pick<Deps, "secrets" | "newId" | "clock">;

const Sealed = z.record(z.string(), z.string());

const placeOf = (at: InstanceId, credentialId: string) => ({
  instanceId: at,
  table: "credential",
  id: credentialId,
  field: "sealed",
});

export function authMethodOf(type: ConnectorDefinition, authType: string): AuthMethod {
  const method = type.authMethods.find((candidate) => candidate.type === authType);
  if (method) return method;
  const offered = type.authMethods.map((candidate) => candidate.type).join(", ");
  throw new AppError("validation_failed", {}, { errors: [{ path: "authType", message: `must be one of ${offered}` }] });
}

/**
 * Stored credentials, plain and secret together; none where there is no row. The only function that opens them.
 * @throws AppError("credential_host_changed") when they would go to a destination they were not entered for.
 */
export async function openCredential(
  { secrets }: Pick<Deps, "secrets">,
  at: InstanceId,
  row: CredentialRow | null,
  destinations: readonly string[],
): Promise<Record<string, string>> {
  if (!row) return {};
  refuseOtherDestinations(row, destinations);
  const opened = Sealed.parse(JSON.parse(await secrets.open(placeOf(at, row.id), row.sealed)));
  return { ...row.plain, ...opened };
}

function refuseOtherDestinations(row: CredentialRow, destinations: readonly string[]): void {
  if (row.secret_names.length === 0) return;
  const other = destinations.filter((one) => !row.hosts.includes(one));
  if (other.length > 0)
    throw new AppError("credential_host_changed", { host: other.join(", "), hosts: row.hosts.join(", ") });
}

/**
 * Joins what was sent with what is stored: secret inputs left out or empty keep their value, as long as the
 * destinations are the ones it was entered for.
 */
export async function joinCredentials(
  deps: Secrets,
  db: Db,
  at: InstanceId,
  connectorId: string | undefined,
  method: AuthMethod,
  sent: Record<string, string>,
  destinations: readonly string[],
): Promise<Record<string, string>> {
  const filled = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ""));
  const names = method.fields.map((field) => field.name);
  const missing = method.fields.filter((field) => field.secret && filled[field.name] === undefined);
  const row = connectorId && missing.length > 0 ? await findCredential(db, at, connectorId) : null;
  const isStored = missing.some(({ name }) => row?.secret_names.includes(name));
  const stored = isStored ? await openCredential(deps, at, row, destinations) : {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = filled[name] ?? (missing.some((field) => field.name === name) ? stored[name] : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export const credentialProblems = (method: AuthMethod, credentials: Record<string, string>): FieldProblem[] =>
  method.fields
    .filter((field) => field.required && !credentials[field.name])
    .map((field) => ({ path: `credentials.${field.name}`, message: "is required" }));

/** Seals and stores; `destinations` are from now on the only ones these secrets may go to. */
export async function storeCredentials(
  { secrets, newId, clock }: Secrets,
  db: Db,
  at: InstanceId,
  connectorId: string,
  method: AuthMethod,
  credentials: Record<string, string>,
  destinations: readonly string[],
): Promise<void> {
  const id = (await findCredential(db, at, connectorId))?.id ?? newId<"credential">();
  const isSecret = new Set(method.fields.filter((field) => field.secret).map((field) => field.name));
  const part = (secret: boolean) =>
    Object.fromEntries(Object.entries(credentials).filter(([name]) => isSecret.has(name) === secret));
  const secretPart = part(true);
  await saveCredential(
    db,
    {
      id,
      instance_id: at,
      connector_id: connectorId,
      hosts: [...destinations],
      plain: part(false),
      secret_names: Object.keys(secretPart),
      sealed: await secrets.seal(placeOf(at, id), JSON.stringify(secretPart)),
    },
    clock.now(),
  );
}

/**
 * Brings credentials of older versions, which name hosts or origins alone, to what their connectors use now: that is where
 * their secrets went. What names another place than the connector's stays, and its secrets have to be entered again.
 */
export async function bindToDestinations(db: Db): Promise<void> {
  for (const { id, hosts, type, config, auth_type: authType } of await readLooselyBound(db)) {
    const definition = findConnectorType(type);
    if (!definition || definition.problems(config).length > 0) continue;
    const now = definition.destinations(config, authType);
    const isFormer = [definition.hosts(config), definition.destinations(config)].some((former) =>
      isSame(former, hosts),
    );
    if (isFormer && !isSame(now, hosts)) await saveDestinations(db, id, { before: hosts, now });
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  new Set(some).size === new Set(others).size && some.every((one) => others.includes(one));
