/** Use cases that look back at actions: what was performed for a pipeline or a record, and what to do about failures. */
import { type Id, id } from "@accord/contracts";
import { ACTION_STATES, type ActionRunRow } from "@accord/contracts/sync/actions";
import type { Caller } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import { isSecretField } from "@accord/expressions";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { dismissFailed, hasActions, repeatFailed } from "./failed-actions.store.ts";
import { findById } from "./lookups.store.ts";
import { type ActionFilter, type PastAction, readPastActions } from "./past-actions.store.ts";

const actionRunId = id("actionRun");

type EntityId = Id<"entity">;
interface Paged {
  cursor?: string | undefined;
  count: number;
}

export function actionHistory(
  { dataPool, dataReads }: Pick<Deps, "dataPool" | "dataReads">,
  schema: Pick<SchemaService, "getEntity">,
) {
  async function demandEntity(ctx: Caller, entityId: EntityId) {
    const entity = await schema.getEntity(ctx.instanceId, entityId, "draft");
    if (!entity) throw new AppError("not_found", { what: "Pipeline" });
    return entity;
  }

  async function page(
    ctx: Caller,
    entityId: EntityId,
    filter: Pick<ActionFilter, "states" | "nodeId" | "recordId">,
    { cursor = null, count }: { cursor?: string | null | undefined; count: number },
  ) {
    const scope = { instanceId: ctx.instanceId, pipelineId: entityId };
    const { rows, isMore } = await readPastActions(dataReads, scope, { ...filter, before: cursor, count });
    // Any of its values may stand anywhere in what was answered.
    const isHidden = (await demandEntity(ctx, entityId)).fields.some(isSecretField);
    const actions = rows.map((run) => rowOf(run, isHidden));
    return { actions, nextCursor: isMore ? (actions.at(-1)?.id ?? null) : null };
  }

  /** The failures that are meant; an id that is none of the pipeline's is not found. */
  async function chosen(ctx: Caller, entityId: EntityId, ids: readonly string[] | undefined) {
    await demandEntity(ctx, entityId);
    const choice = { instanceId: ctx.instanceId, pipelineId: entityId, ids: ids ?? null };
    if (!(await hasActions(dataPool, choice))) throw new AppError("not_found", { what: "Action" });
    return choice;
  }

  return {
    async ofPipeline(ctx: Caller, entityId: EntityId, query: Paged & { states?: string; nodeId?: string }) {
      const wanted = (query.states ?? "").split(",");
      const states = ACTION_STATES.filter((state) => wanted.includes(state));
      return page(ctx, entityId, { states, nodeId: query.nodeId ?? null, recordId: null }, query);
    },

    async ofRecord(ctx: Caller, entityId: EntityId, recordId: Id<"record">, query: Paged) {
      const entity = await demandEntity(ctx, entityId);
      const isThere = entity.version > 0 && (await findById(dataPool, ctx.instanceId, entity, [recordId])).length > 0;
      if (!isThere) throw new AppError("not_found", { what: "Record" });
      return page(ctx, entityId, { states: [], nodeId: null, recordId }, query);
    },

    async repeat(ctx: Caller, entityId: EntityId, ids: readonly string[] | undefined) {
      return { repeated: await repeatFailed(dataPool, await chosen(ctx, entityId, ids)) };
    },

    async dismiss(ctx: Caller, entityId: EntityId, ids: readonly string[] | undefined) {
      return { dismissed: await dismissFailed(dataPool, await chosen(ctx, entityId, ids)) };
    },
  };
}

const rowOf = ({ outcome, ...run }: PastAction, isHidden: boolean): ActionRunRow => ({
  ...run,
  id: actionRunId.parse(run.id),
  code: outcome?.code ?? null,
  message: outcome?.message ?? null,
  body: isHidden && outcome?.body != null ? PASSWORD_MASK : (outcome?.body ?? null),
});
