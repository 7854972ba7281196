/** Use cases of custom actions: making, changing and deleting reusable REST calls, and where they are used. */
import type { Id } from "@accord/contracts";
import { type CustomAction, customActionChanged, type CustomActionInput } from "@accord/contracts/sync/actions";
import type { ActionUsage, ActionUse } from "@accord/contracts/sync/custom-action-checks";
import { customActionIssues } from "@accord/sync-engine/actions";
import type { Caller } from "../../../../platform/ctx.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { uniqueName } from "../../../../platform/http/unique-name.ts";
import {
  type Author,
  findAction,
  insertAction,
  readActionsOf,
  removeAction,
  type StoredAction,
  writeAction,
} from "./custom-actions.store.ts";
import { originOf, secretPlace } from "./custom-requests.ts";
import { readLastResults } from "./last-results.store.ts";

type InstanceId = Id<"instance">;
type ActionId = Id<"customAction">;

type NodeOfAction = ActionUse & { actionId: ActionId };

/** Nodes that perform custom actions of an instance, from the pipelines. */
export type FindActionUses = (instanceId: InstanceId) => Promise<NodeOfAction[]>;

const nameOf = (author: Author | null) => author && { firstName: author.firstName, lastName: author.lastName };

const view = ({ id, definition, secret, revision, updatedAt, createdBy, updatedBy }: StoredAction): CustomAction => ({
  id,
  ...definition,
  hasSecret: secret !== null,
  revision,
  updatedAt,
  createdBy: nameOf(createdBy),
  updatedBy: nameOf(updatedBy),
});

const authorOf = ({ actor: { userId, firstName, lastName } }: Caller): Author => ({ userId, firstName, lastName });

export function customActionService(
  deps: Pick<Deps, "appDb" | "secrets" | "clock" | "newId" | "dataReads" | "realtime">,
  usesOf: FindActionUses,
) {
  const { appDb, clock, dataReads, newId, secrets } = deps;
  const changed = (at: InstanceId, actionId: ActionId) => deps.realtime.publish(at, customActionChanged, { actionId });

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

  return {
    list: async (at: InstanceId) => (await readActionsOf(appDb, at)).map(view),
    get: async (at: InstanceId, actionId: ActionId) => view(await get(at, actionId)),

    /** With its sealed secret. */
    stored: get,

    /** Throws where a credential is missing, or was entered for another origin. */
    async checkSecret(instanceId: InstanceId, input: CustomActionInput, before: StoredAction | null): Promise<void> {
      await sealed(instanceId, before?.id ?? newId<"customAction">(), input, before);
    },

    async create(caller: Caller, input: CustomActionInput): Promise<CustomAction> {
      const at = caller.instanceId;
      refuseIssues(input);
      const id = newId<"customAction">();
      const { secret: _secret, ...definition } = input;
      const kept = await sealed(at, id, input, null);
      const now = clock.now().toISOString();
      await uniqueName(input.apiName, () =>
        insertAction(appDb, at, { id, definition, ...kept, by: authorOf(caller), now }),
      );
      await changed(at, id);
      return view(await get(at, id));
    },

    async update(
      caller: Caller,
      actionId: ActionId,
      { revision, ...input }: CustomActionInput & { revision: number },
    ): Promise<CustomAction> {
      const at = caller.instanceId;
      refuseIssues(input);
      const before = await get(at, actionId);
      if (before.revision !== revision) throw new AppError("stale_version", { newest: view(before) });
      const { secret: _secret, ...definition } = input;
      const kept = await sealed(at, actionId, input, before);
      const now = clock.now().toISOString();
      const change = { id: actionId, definition, ...kept, revision, by: authorOf(caller), now };
      const isWritten = await uniqueName(input.apiName, () => writeAction(appDb, at, change));
      const after = await get(at, actionId);
      if (!isWritten) throw new AppError("stale_version", { newest: view(after) });
      await changed(at, actionId);
      return view(after);
    },

    /** One that pipelines use goes only when that was confirmed: their nodes fail from then on. */
    async remove(at: InstanceId, actionId: ActionId, isConfirmed: boolean): Promise<void> {
      await get(at, actionId);
      const nodes = (await usesOf(at)).filter((node) => node.actionId === actionId);
      if (nodes.length > 0 && !isConfirmed)
        throw new AppError("in_use", { uses: pipelinesOf(nodes).map(({ name }) => name) });
      await removeAction(appDb, at, actionId);
      await changed(at, actionId);
    },

    /** Nodes of pipelines that perform the action. */
    async uses(instanceId: InstanceId, actionId: ActionId): Promise<ActionUse[]> {
      await get(instanceId, actionId);
      const nodes = await usesOf(instanceId);
      return nodes.filter((node) => node.actionId === actionId).map(({ actionId: _, ...use }) => use);
    },

    /** Pipelines of each action that is used, and how it ended there the last time. */
    async usage(instanceId: InstanceId): Promise<ActionUsage[]> {
      const nodes = await usesOf(instanceId);
      const results = await readLastResults(dataReads, instanceId, nodes);
      return [...Map.groupBy(nodes, ({ actionId }) => actionId)].map(([actionId, own]) => ({
        actionId,
        pipelines: pipelinesOf(own),
        lastResult: results.get(actionId) ?? null,
      }));
    },
  };
}

function pipelinesOf(nodes: readonly NodeOfAction[]): ActionUsage["pipelines"] {
  const byPipeline = Map.groupBy(nodes, ({ entityId }) => entityId);
  return [...byPipeline].map(([entityId, own]) => ({
    entityId,
    name: own[0]?.pipeline ?? entityId,
    isPublished: own.some(({ graphVersion }) => graphVersion === "published"),
  }));
}

function refuseIssues(input: CustomActionInput): void {
  const errors = customActionIssues(input);
  if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
}
