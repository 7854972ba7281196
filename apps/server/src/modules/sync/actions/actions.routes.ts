/** Endpoints of actions joined with their use cases. */
import * as contract from "@accord/contracts/sync/actions";
import * as checks from "@accord/contracts/sync/custom-action-checks";
import * as providers from "@accord/contracts/sync/providers";
import { type Route, route } from "../../../platform/module.ts";
import type { actionHistory } from "./action-history.ts";
import type { customActionChecks } from "./custom-actions/custom-action-checks.ts";
import type { customActionService } from "./custom-actions/custom-actions.service.ts";
import type { ServiceProviders } from "./providers/providers.ts";

export const actionRoutes = (
  custom: ReturnType<typeof customActionService> & ReturnType<typeof customActionChecks>,
  history: ReturnType<typeof actionHistory>,
  services: ServiceProviders,
): Route[] => [
  route(contract.listCustomActions, async (ctx) => ({ actions: await custom.list(ctx.instanceId) })),
  route(contract.getCustomAction, (ctx, { params }) => custom.get(ctx.instanceId, params.actionId)),
  route(contract.createCustomAction, (ctx, { body }) => custom.create(ctx, body)),
  route(contract.updateCustomAction, (ctx, { params, body }) => custom.update(ctx, params.actionId, body)),
  route(contract.deleteCustomAction, async (ctx, { params, query }) => {
    await custom.remove(ctx.instanceId, params.actionId, query.confirmed);
    return {};
  }),
  route(checks.validateCustomAction, async (ctx, { body }) => ({
    problems: await custom.validate(ctx.instanceId, body),
  })),
  route(checks.testCustomAction, (ctx, { body }) => custom.test(ctx.instanceId, body)),
  route(checks.getCustomActionUses, async (ctx, { params }) => ({
    uses: await custom.uses(ctx.instanceId, params.actionId),
  })),
  route(checks.listCustomActionUses, async (ctx) => ({ actions: await custom.usage(ctx.instanceId) })),
  route(contract.listPipelineActions, (ctx, { params, query }) => history.ofPipeline(ctx, params.entityId, query)),
  route(contract.listRecordActions, (ctx, { params, query }) =>
    history.ofRecord(ctx, params.entityId, params.recordId, query),
  ),
  route(contract.repeatActions, (ctx, { params, body }) => history.repeat(ctx, params.entityId, body.ids)),
  route(providers.listServiceProviders, async (ctx) => ({ providers: await services.list(ctx.instanceId) })),
  route(providers.saveServiceProvider, (ctx, { params, body }) => services.save(ctx.instanceId, params.service, body)),
  route(providers.removeServiceProvider, async (ctx, { params }) => {
    await services.remove(ctx.instanceId, params.service);
    return {};
  }),
  route(contract.dismissActions, (ctx, { params, body }) => history.dismiss(ctx, params.entityId, body.ids)),
];
