/** Endpoints of fragments joined with their use cases. */
import * as contract from "@accord/contracts/sync/fragments";
import { type Route, route } from "../../../platform/module.ts";
import type { FragmentService } from "./fragments.service.ts";

export const fragmentRoutes = (service: FragmentService): Route[] => [
  route(contract.listFragments, async (ctx, { query }) => ({ fragments: await service.list(ctx, query.context) })),
  route(contract.saveFragment, (ctx, { body }) => service.save(ctx, body)),
  route(contract.deleteFragment, async (ctx, { params }) => {
    await service.remove(ctx, params.fragmentId);
    return {};
  }),
  route(contract.hideFragment, async (ctx, { params }) => {
    await service.hide(ctx, params.fragmentId);
    return {};
  }),
  route(contract.showFragment, async (ctx, { params }) => {
    await service.show(ctx, params.fragmentId);
    return {};
  }),
  route(contract.getFragmentShares, async (ctx, { params }) => ({
    instanceIds: await service.shares(ctx, params.fragmentId),
  })),
  route(contract.shareFragment, async (ctx, { params, body }) => ({
    instanceIds: await service.share(ctx, params.fragmentId, body.instanceIds),
  })),
];
