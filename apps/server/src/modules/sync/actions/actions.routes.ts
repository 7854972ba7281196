/** Endpoints of actions joined with their use cases. */
import * as contract from "@accord/contracts/sync/actions";
import { ACTION_STATES, type ActionRunRow } from "@accord/contracts/sync/actions";
import { type Route, route } from "../../../platform/module.ts";
import type { Pool } from "../../../platform/db/db.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import { type ActionRun, readActions } from "./action-runs.store.ts";
import type { customActionService } from "./custom-actions.service.ts";

export const actionRoutes = (
  custom: ReturnType<typeof customActionService>,
  schema: Pick<SchemaService, "getEntity">,
  dataPool: Pool,
): Route[] => [
  route(contract.listCustomActions, async (ctx) => ({ actions: await custom.list(ctx.instanceId) })),
  route(contract.getCustomAction, (ctx, { params }) => custom.get(ctx.instanceId, params.actionId)),
  route(contract.createCustomAction, (ctx, { body }) => custom.create(ctx.instanceId, body)),
  route(contract.updateCustomAction, (ctx, { params, body }) => custom.update(ctx.instanceId, params.actionId, body)),
  route(contract.deleteCustomAction, async (ctx, { params }) => {
    await custom.remove(ctx.instanceId, params.actionId);
    return {};
  }),
  route(contract.testCustomAction, (ctx, { body }) => custom.test(ctx.instanceId, body)),
  route(contract.listPipelineActions, async (ctx, { params, query }) => {
    if (!(await schema.getEntity(ctx.instanceId, params.entityId, "draft")))
      throw new AppError("not_found", { what: "Pipeline" });
    const wanted = (query.states ?? "").split(",");
    const found = await readActions(
      dataPool,
      { instanceId: ctx.instanceId, pipelineId: params.entityId },
      {
        states: ACTION_STATES.filter((state) => wanted.includes(state)),
        nodeId: query.nodeId ?? null,
        before: query.cursor ?? null,
        count: query.count + 1,
      },
    );
    const actions = found.slice(0, query.count).map(rowOf);
    return { actions, nextCursor: found.length > query.count ? (actions.at(-1)?.id ?? null) : null };
  }),
];

const rowOf = ({ outcome, ...run }: ActionRun): ActionRunRow => ({
  id: run.id,
  nodeId: run.nodeId,
  label: run.label,
  action: run.action,
  state: run.state,
  attempts: run.attempts,
  externalId: run.externalId,
  recordId: run.recordId,
  createdAt: run.createdAt,
  endedAt: run.endedAt,
  code: outcome?.code ?? null,
  message: outcome?.message ?? null,
  body: outcome?.body ?? null,
});
