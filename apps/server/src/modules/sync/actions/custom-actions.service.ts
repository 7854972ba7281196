/** Use cases of custom actions: making, changing, trying out and deleting reusable REST calls. */
import type { Id } from "@accord/contracts";
import type { ActionTestResult, CustomAction, CustomActionInput } from "@accord/contracts/sync/actions";
import type { Values } from "@accord/contracts/data/values";
import { readTemplate } from "@accord/expressions";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import {
  type Definition,
  findAction,
  insertAction,
  readActionsOf,
  removeAction,
  type StoredAction,
  writeAction,
} from "./custom-actions.store.ts";
import { BATCH_RECORDS, buildRequest, openSecret, originOf, secretPlace, withRecords } from "./custom-requests.ts";
import { callHttp } from "./http-call.ts";

type InstanceId = Id<"instance">;
type ActionId = Id<"customAction">;

/** Where a custom action is used, told by the pipelines. */
export type FindActionUses = (at: InstanceId, actionId: string) => Promise<string[]>;

const view = ({ id, definition, secret, revision, updatedAt }: StoredAction): CustomAction => ({
  id,
  ...definition,
  hasSecret: secret !== null,
  revision,
  updatedAt,
});

export function customActionService(
  deps: Pick<Deps, "appDb" | "secrets" | "clock" | "newId" | "outbound">,
  usesOf: FindActionUses,
) {
  const { appDb, clock, newId, secrets, outbound } = deps;

  async function get(at: InstanceId, actionId: string): Promise<StoredAction> {
    const action = await findAction(appDb, at, actionId);
    if (!action) throw new AppError("not_found", { what: "Custom action" });
    return action;
  }

  /** A secret stays with the origin it was entered for; a new origin needs it anew. */
  async function sealed(at: InstanceId, id: ActionId, input: CustomActionInput, before: StoredAction | null) {
    const origin = originOf(input.endpoint);
    if (input.authentication.type === "none") return { secret: null, secretHost: null };
    if (input.secret !== undefined) {
      return { secret: await secrets.seal(secretPlace(at, id), input.secret), secretHost: origin };
    }
    if (!before?.secret) {
      throw new AppError("validation_failed", {}, { errors: [{ path: "secret", message: "is required" }] });
    }
    if (before.secretHost !== origin)
      throw new AppError("credential_host_changed", { host: origin, hosts: before.secretHost });
    return { secret: before.secret, secretHost: before.secretHost };
  }

  async function uniqueName<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "23505";
      throw isTaken ? new AppError("name_taken", { name }) : error;
    }
  }

  return {
    list: async (at: InstanceId) => (await readActionsOf(appDb, at)).map(view),
    get: async (at: InstanceId, actionId: ActionId) => view(await get(at, actionId)),

    async create(at: InstanceId, input: CustomActionInput): Promise<CustomAction> {
      refuseUnknownVariables(input);
      const id = newId<"customAction">();
      const { secret: _secret, ...definition } = input;
      const kept = await sealed(at, id, input, null);
      const now = clock.now().toISOString();
      await uniqueName(input.apiName, () => insertAction(appDb, at, { id, definition, ...kept, updatedAt: now, now }));
      return view(await get(at, id));
    },

    async update(
      at: InstanceId,
      actionId: ActionId,
      { revision, ...input }: CustomActionInput & { revision: number },
    ): Promise<CustomAction> {
      refuseUnknownVariables(input);
      const before = await get(at, actionId);
      if (before.revision !== revision) throw new AppError("stale_version", { newest: view(before) });
      const { secret: _secret, ...definition } = input;
      const kept = await sealed(at, actionId, input, before);
      const change = { id: actionId, definition, ...kept, revision, now: clock.now().toISOString() };
      const isWritten = await uniqueName(input.apiName, () => writeAction(appDb, at, change));
      const after = await get(at, actionId);
      if (!isWritten) throw new AppError("stale_version", { newest: view(after) });
      return view(after);
    },

    async remove(at: InstanceId, actionId: ActionId): Promise<void> {
      await get(at, actionId);
      const uses = await usesOf(at, actionId);
      if (uses.length > 0) throw new AppError("in_use", { uses });
      await removeAction(appDb, at, actionId);
    },

    /** Sends the request once with the test values. */
    async test(
      at: InstanceId,
      { actionId, ...input }: CustomActionInput & { actionId?: ActionId | undefined },
    ): Promise<ActionTestResult> {
      refuseUnknownVariables(input);
      const { secret: given, ...definition } = input;
      originOf(definition.endpoint);
      const stored = actionId ? await get(at, actionId) : null;
      const isOpen = definition.authentication.type === "none";
      const secret = isOpen ? null : (given ?? (stored && (await openSecret(deps, at, { ...stored, definition }))));
      const request = buildRequest(definition, withRecords(definition, [testValues(definition)]), secret);
      const began = clock.monotonicMs();
      const { outcome } = await callHttp(outbound, { ...request, retries: 0 }, newId());
      return { ...outcome, durationMs: Math.round(clock.monotonicMs() - began) };
    },
  };
}

const testValues = ({ variables, variableValues }: Definition): Values =>
  Object.fromEntries(variables.map(({ name }) => [name, variableValues[name] ?? null]));

/** Every `{{name}}` is one of the variables. */
function refuseUnknownVariables({ endpoint, body, headers, variables, isBatch }: CustomActionInput): void {
  const known = new Set(variables.map(({ name }) => name));
  const unknownIn = (text: string): string[] =>
    readTemplate(text).flatMap((part) => ("token" in part && !known.has(part.token) ? [part.token] : []));
  const problem = (path: string, text: string) =>
    unknownIn(text).map((name) => ({ path, message: `names {{${name}}}, which is not among the variables: add it` }));
  const errors = [
    ...problem("endpoint", endpoint),
    ...problem("body", isBatch ? body.replaceAll(`{{${BATCH_RECORDS}}}`, "") : body),
    ...headers.flatMap(({ value }, index) => problem(`headers.${index}.value`, value)),
  ];
  const names = variables.map(({ name }) => name.toLowerCase());
  if (isBatch && names.includes(BATCH_RECORDS))
    errors.push({ path: "variables", message: `none may be called ${BATCH_RECORDS}: that is the list of all records` });
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) errors.push({ path: `variables.${index}.name`, message: "is there twice" });
  }
  if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
}
