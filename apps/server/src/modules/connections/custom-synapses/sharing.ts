/** With whom HTTP synapses are shared: the own instance, chosen ones, the organisation, or all. */
import type { Id } from "@accord/contracts";
import { SHARE_SCOPES, type ShareScope } from "@accord/contracts/connections/http-synapse-sharing";
import { synapseSharing } from "@accord/contracts/messages/en/synapses/synapse-options";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { InstancesService } from "../../identity/instances/index.ts";
import type { SynapseConnections } from "../connectors/index.ts";
import { demandOperator, mayShareWithAll } from "./operator.ts";
import type { SynapsesService } from "./synapses.service.ts";
import * as store from "./synapses.store.ts";

export interface Share {
  scope: ShareScope;
  instanceIds: Id<"instance">[];
}

export interface SharingNeeds {
  connections: SynapseConnections;
  instances: Pick<InstancesService, "list">;
}

interface Reachable {
  id: Id<"instance">;
  displayName: string;
}

export function sharingService({ appDb, clock }: Deps, synapses: SynapsesService, needs: SharingNeeds) {
  /** Other instances that the caller may work in. */
  const reachable = async (ctx: Ctx): Promise<Reachable[]> =>
    (await needs.instances.list(ctx, "")).flatMap(({ accordId: id, displayName }) =>
      id === ctx.instanceId ? [] : [{ id, displayName }],
    );

  /** Of chosen instances only those that the caller may work in are named. */
  const get = async (ctx: Ctx, synapseId: Id<"customSynapse">): Promise<Share> => {
    const place = { instanceId: ctx.instanceId, synapseId };
    const { share_scope: scope } = await synapses.find(place);
    if (scope !== "INSTANCES") return { scope, instanceIds: [] };
    const mine = new Set((await reachable(ctx)).map(({ id }) => id));
    return { scope, instanceIds: (await store.readShares(appDb, place)).filter((id) => mine.has(id)) };
  };

  return {
    get,

    scopes: async (ctx: Ctx) => ({
      scopes: SHARE_SCOPES.filter((scope) => scope !== "GLOBAL" || mayShareWithAll(ctx)).map((scope) => ({
        id: scope,
        label: synapseSharing[scope],
      })),
      instances: await reachable(ctx),
    }),

    async set(ctx: Ctx, synapseId: Id<"customSynapse">, wanted: Share & { acceptBreaking: boolean }): Promise<Share> {
      const { scope, acceptBreaking } = wanted;
      const place = { instanceId: ctx.instanceId, synapseId };
      await synapses.find(place);
      const mine = new Set((await reachable(ctx)).map(({ id }) => id));
      const chosen = [...new Set(wanted.instanceIds)].filter((id) => id !== ctx.instanceId);
      if (chosen.some((id) => !mine.has(id))) throw new AppError("not_found", { what: "Instance" });
      const touched = await synapses.change(place, async (tx, row) => {
        demandOperator(ctx, scope, row.share_scope);
        // What others shared it with, where the caller may not work, stays.
        const kept = (await store.readShares(tx, place)).filter((id) => !mine.has(id));
        const shares = scope === "INSTANCES" ? [...kept, ...chosen] : [];
        if (scope === "INSTANCES" && shares.length === 0)
          throw invalidField("instanceIds", "choose at least one instance");
        const now = clock.now();
        await store.editSynapse(tx, place, { shareScope: scope }, now);
        await store.replaceShares(tx, place, shares);
        if (!acceptBreaking && (await store.countLost(tx, place)) > 0)
          throw new AppError("breaking_changes", { name: row.name });
        await store.touchConnectionsOf(tx, place, now);
        return (await store.readConnectionsOf(tx, place)).filter(({ instance_id: at }) => at !== ctx.instanceId);
      });
      await needs.connections.changed(touched);
      return get(ctx, synapseId);
    },
  };
}

export type SharingService = ReturnType<typeof sharingService>;
