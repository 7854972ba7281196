/** Roles: who may make, change and give them. The one rule: nobody gives more than they hold, wherever it counts. */
import { BUILT_IN_ROLES, type Id, type Permission } from "@accord/contracts";
import type { Role, RoleKey } from "@accord/contracts/identity/roles";
import { permissionsOfRole } from "../../../platform/access/role-permissions.ts";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { uniqueName } from "../../../platform/http/unique-name.ts";
import { effectivePermissions, isBuiltInRole, isWithin } from "./effective.ts";
import * as store from "./roles.store.ts";

export interface RolesService {
  list(ctx: Ctx): Promise<Role[]>;
  create(ctx: Ctx, role: RoleText): Promise<Role>;
  update(ctx: Ctx, id: Id<"role">, role: RoleText & { version: number }): Promise<Role>;
  delete(ctx: Ctx, id: Id<"role">): Promise<void>;
  /** Permissions of a role key; throws `not_found` for another organisation's role. */
  permissionsOf(organisationId: string, key: string): Promise<ReadonlySet<Permission>>;
  /** What a user may do in an instance; empty for a stranger. */
  permissionsIn(userId: string, instanceId: string, db?: Db): Promise<ReadonlySet<Permission>>;
}

interface RoleText {
  name: string;
  description: string;
  permissions: Permission[];
}

type Needs = Pick<Deps, "appDb" | "appPool" | "clock" | "newId">;

const BUILT_IN_WORDS: Record<(typeof BUILT_IN_ROLES)[number], { name: string; description: string }> = {
  ORG_ADMIN: { name: "Org Admin", description: "Manages all instances and people of the organisation." },
  INSTANCE_ADMIN: { name: "Instance Admin", description: "Manages one instance and the people in it." },
  SUPER_ADMIN: { name: "Super Admin", description: "Operates the whole installation." },
  SYNC_MANAGER: { name: "Sync Manager", description: "Everything but settings: synapses, pipelines, data, insights." },
  VIEWER: { name: "Viewer", description: "Reads everything, changes nothing." },
  DASHBOARD_LIGHT_VIEWER: { name: "Dashboard Light Viewer", description: "Sees published dashboards only." },
};

export function rolesService({ appDb, appPool, clock, newId }: Needs): RolesService {
  async function permissionsIn(userId: string, instanceId: string, db: Db = appDb) {
    const holdings = await store.findHoldings(db, userId, instanceId);
    return holdings ? effectivePermissions(holdings) : new Set<Permission>();
  }

  /** A changed role changes what its holders may do, in every instance where anybody holds it. */
  async function demandReach(
    ctx: Ctx,
    db: Db,
    roleId: string | null,
    permissions: Iterable<Permission>,
  ): Promise<void> {
    const wanted = [...permissions];
    const places = new Set([ctx.instanceId as string, ...(roleId ? await store.instancesUsingRole(db, roleId) : [])]);
    for (const instanceId of places) {
      const held = await permissionsIn(ctx.actor.userId, instanceId, db);
      if (!isWithin(wanted, held)) {
        const missing = wanted.filter((permission) => !held.has(permission));
        throw new AppError("role_not_grantable", { reason: `You don't hold: ${missing.join(", ")}` });
      }
    }
  }

  async function found(db: Db, ctx: Ctx, id: string): Promise<store.CustomRoleRow> {
    const role = await store.findCustomRole(db, ctx.organisationId, id);
    if (!role) throw new AppError("not_found", { what: "Role" });
    return role;
  }

  return {
    permissionsIn,
    async list(ctx) {
      const [rows, holders] = await Promise.all([
        store.listCustomRoles(appDb, ctx.organisationId),
        store.countHolders(appDb, ctx.organisationId),
      ]);
      const held = await permissionsIn(ctx.actor.userId, ctx.instanceId);
      const builtIn = BUILT_IN_ROLES.map((key): Role => {
        const permissions = [...permissionsOfRole(key)];
        const grantable = isWithin(permissions, held);
        return {
          key,
          ...BUILT_IN_WORDS[key],
          builtIn: true,
          permissions,
          grantable,
          users: holders.get(key) ?? 0,
          version: 1,
        };
      });
      return [...builtIn, ...rows.map((row) => toRole(row, holders.get(row.id) ?? 0, held))];
    },
    async create(ctx, text) {
      await demandReach(ctx, appDb, null, text.permissions);
      const now = clock.now();
      const row = {
        id: newId<"role">(),
        organisation_id: ctx.organisationId,
        ...text,
        created_at: now,
        updated_at: now,
        version: 1,
      };
      await uniqueName(text.name, () => store.insertCustomRole(appDb, row));
      return toRole(row, 0, await permissionsIn(ctx.actor.userId, ctx.instanceId));
    },
    update: (ctx, id, { version, ...text }) =>
      transaction(appPool, async ({ db }) => {
        const before = await found(db, ctx, id);
        const touched = [...text.permissions, ...(before.permissions as Permission[])];
        await demandReach(ctx, db, id, touched);
        const at = { organisationId: ctx.organisationId, id, version };
        const changes = { ...text, updated_at: clock.now() };
        const after = await uniqueName(text.name, () => store.updateCustomRole(db, at, changes));
        if (!after) throw new AppError("stale_version", { version: before.version });
        const holders = await store.countHolders(db, ctx.organisationId);
        return toRole(after, holders.get(id) ?? 0, await permissionsIn(ctx.actor.userId, ctx.instanceId, db));
      }),
    delete: (ctx, id) =>
      transaction(appPool, async ({ db }) => {
        const role = await found(db, ctx, id);
        await demandReach(ctx, db, id, role.permissions as Permission[]);
        if ((await store.instancesUsingRole(db, id)).length > 0) throw new AppError("in_use", { name: role.name });
        await store.deleteCustomRole(db, ctx.organisationId, id);
      }),
    async permissionsOf(organisationId, key) {
      if (isBuiltInRole(key)) return permissionsOfRole(key);
      const role = await store.findCustomRole(appDb, organisationId, key);
      if (!role) throw new AppError("not_found", { what: "Role" });
      return new Set(role.permissions as Permission[]);
    },
  };
}

function toRole(row: store.CustomRoleRow, users: number, held: ReadonlySet<Permission>): Role {
  const permissions = row.permissions as Permission[];
  return {
    key: row.id as RoleKey,
    name: row.name,
    description: row.description,
    builtIn: false,
    permissions,
    grantable: isWithin(permissions, held),
    users,
    version: row.version,
  };
}
