/** Instances, their features and trial limits, and the subscription above them. */
import * as contract from "@accord/contracts/identity/instances";
import { id } from "@accord/contracts";
import { z } from "zod";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { defineJob } from "../../../platform/jobs/jobs.ts";
import { route, type Module } from "../../../platform/module.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { instancesService, type InstancesService } from "./instances.service.ts";
import { findSubscription, listInstances } from "./instances.store.ts";

export { activeInstances } from "./instances.store.ts";
export type { InstancesService, NewInstance } from "./instances.service.ts";

const purge = defineJob({ name: "instances.purge", data: z.strictObject({ instanceId: id("instance") }), retries: 10 });

export function instancesModule(deps: Deps, { audit }: { audit: AuditLog }): Module & { service: InstancesService } {
  const service = instancesService(deps, (instanceId) => deps.jobs.send(purge, { instanceId }));
  return {
    name: "identity/instances",
    service,
    routes: [
      route(contract.listMyInstances, async (ctx, { query }) => ({
        instances: await service.listMine(ctx, query.search),
      })),
      route(contract.listInstances, async (ctx, { query }) => ({ instances: await service.list(ctx, query.search) })),
      route(contract.createInstance, async (ctx, { body }) => {
        const made = await service.create(ctx, body);
        await audit.record(ctx, "createInstance", { kind: "instance", id: made.accordId, name: made.displayName });
        return made;
      }),
      route(contract.updateInstance, async (ctx, { params, body }) => {
        const changed = await service.update(ctx, params.instanceId, body);
        const { version: _, ...changes } = body;
        await audit.record(
          ctx,
          "updateInstance",
          { kind: "instance", id: changed.accordId, name: changed.displayName },
          changes,
        );
        return changed;
      }),
      route(contract.deleteInstance, async (ctx, { params, query }) => {
        await service.delete(ctx, params.instanceId, query.name);
        await audit.record(ctx, "deleteInstance", { kind: "instance", id: params.instanceId, name: query.name });
        return {};
      }),
      route(contract.switchInstance, (ctx, { params }) => service.switchTo(ctx, params.instanceId)),
      route(contract.getInstanceState, (ctx, { params }) => service.state(ctx, params.instanceId)),
      route(contract.listFeatures, async (ctx) => ({ features: await service.features(ctx.instanceId) })),
      route(contract.getFeature, async (ctx, { params }) => {
        const name = params.featureName;
        return { name, enabled: await service.isEnabled(ctx.instanceId, name) };
      }),
      route(contract.enableFeature, async (ctx, { params }) => {
        await audit.record(ctx, "enableFeature", { kind: "feature", name: params.featureName });
        return service.setFeature(ctx, params.featureName, true);
      }),
      route(contract.disableFeature, async (ctx, { params }) => {
        await audit.record(ctx, "disableFeature", { kind: "feature", name: params.featureName });
        return service.setFeature(ctx, params.featureName, false);
      }),
      route(contract.getSubscription, async (ctx) => {
        const found = await findSubscription(deps.appDb, ctx.organisationId);
        if (!found) throw new AppError("not_found", { what: "Subscription" });
        const instances = await listInstances(deps.appDb, {
          organisationId: ctx.organisationId,
          ids: null,
          search: "",
        });
        return {
          id: found.id,
          name: found.name,
          type: found.type,
          status: found.status,
          instances: instances.map((row) => ({
            accordId: row.id as contract.InstanceSummary["accordId"],
            name: row.name,
            displayName: row.display_name,
            orgName: row.organisation_name,
            type: row.type,
            status: row.status,
          })),
          createdAt: found.created_at,
          createdBy: found.created_by,
          deletedAt: found.deleted_at,
          deletedBy: found.deleted_by,
        };
      }),
    ],
    startWorker: () => deps.jobs.work(purge, ({ instanceId }) => service.purge(instanceId)),
  };
}
