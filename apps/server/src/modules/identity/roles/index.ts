/** Roles and what they permit. */
import * as contract from "@accord/contracts/identity/roles";
import type { Deps } from "../../../platform/deps.ts";
import { route, type Module } from "../../../platform/module.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { rolesService, type RolesService } from "./roles.service.ts";

export { effectivePermissions, effectiveRoles, isWithin, type Holdings } from "./effective.ts";
export { deleteRolesOf, findHoldings, findPeople, type PersonIn, rolesOfUsers, setRoles } from "./roles.store.ts";
export type { RolesService } from "./roles.service.ts";

export function rolesModule(deps: Deps, { audit }: { audit: AuditLog }): Module & { service: RolesService } {
  const service = rolesService(deps);
  return {
    name: "identity/roles",
    service,
    routes: [
      route(contract.listRoles, async (ctx) => ({ roles: await service.list(ctx) })),
      route(contract.createRole, async (ctx, { body }) => {
        const role = await service.create(ctx, body);
        await audit.record(
          ctx,
          "createRole",
          { kind: "role", id: role.key, name: role.name },
          { permissions: role.permissions },
        );
        return role;
      }),
      route(contract.updateRole, async (ctx, { params, body }) => {
        const role = await service.update(ctx, params.roleId, body);
        await audit.record(
          ctx,
          "updateRole",
          { kind: "role", id: role.key, name: role.name },
          { permissions: role.permissions },
        );
        return role;
      }),
      route(contract.deleteRole, async (ctx, { params }) => {
        await service.delete(ctx, params.roleId);
        await audit.record(ctx, "deleteRole", { kind: "role", id: params.roleId });
        return {};
      }),
    ],
  };
}
