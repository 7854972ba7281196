/** Endpoint of comparing the draft with what is published, joined with its use case. */
import { diffBeforePublish } from "@accord/contracts/sync/tests/publish-diff";
import { type Route, route } from "../../../../platform/module.ts";
import type { PublishDiffService } from "./publish-diff.service.ts";

export const publishDiffRoutes = (service: PublishDiffService): Route[] => [
  route(diffBeforePublish, (ctx, { params, body }) => service.diff(ctx, params.id, body)),
];
