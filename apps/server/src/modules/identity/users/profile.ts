/** The signed-in person as the browser needs them. */
import { PRODUCT, type BuiltInRole, type Id } from "@accord/contracts";
import type { RoleKey, UserRoles } from "@accord/contracts/identity/roles";
import type { CurrentUser } from "@accord/contracts/identity/users";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { InstancesService } from "../instances/index.ts";
import type { PreferencesService } from "../preferences/index.ts";
import { effectiveRoles, rolesOfUsers } from "../roles/index.ts";
import * as store from "./users.store.ts";

export const versionMetadata = { version: PRODUCT.version, product: PRODUCT.name };

export async function currentUser(
  { appDb, config }: Pick<Deps, "appDb" | "config">,
  { instances, preferences }: { instances: InstancesService; preferences: PreferencesService },
  ctx: Ctx,
): Promise<CurrentUser> {
  const id = ctx.actor.userId;
  const [user, organisation, held] = await Promise.all([
    store.findUser(appDb, ctx.organisationId, id),
    store.findOrganisation(appDb, ctx.organisationId),
    rolesOfUsers(appDb, [id]),
  ]);
  if (!user || !organisation) throw new AppError("not_signed_in");
  const userRoles = held.get(id) ?? {};
  const mine = await instances.listMine(ctx);
  const current = ctx.hasInstance ? (mine.find((instance) => instance.accordId === ctx.instanceId) ?? null) : null;
  const roles = effectiveRoles({
    roles: current ? (userRoles[current.accordId] ?? []) : [],
    customPermissions: [],
    orgAdmin: user.org_admin,
    superAdmin: user.super_admin,
  });
  const holds = (role: BuiltInRole) => roles.includes(role);
  return {
    id,
    firstName: user.first_name,
    lastName: user.last_name,
    photo: user.photo,
    email: user.email,
    timeZone: user.time_zone,
    status: user.status,
    orgId: ctx.organisationId,
    orgName: organisation.name,
    orgLogo: organisation.logo,
    orgAdmin: holds("ORG_ADMIN"),
    isSuperAdmin: user.super_admin,
    isGhostUser: user.ghost_user,
    ghosted: false,
    superAdmin: holds("SUPER_ADMIN"),
    admin: holds("SUPER_ADMIN") || holds("ORG_ADMIN") || holds("INSTANCE_ADMIN"),
    instanceAdmin: holds("INSTANCE_ADMIN"),
    internal: isInternal(user.email, config.internalEmailDomain),
    passwordExpired: ctx.purpose === "passwordChange",
    currentInstanceName: current?.displayName ?? null,
    currentInstanceAccordId: current?.accordId ?? null,
    currentInstanceType: current?.type ?? null,
    userRoles: userRoles as Record<Id<"instance">, RoleKey[]> satisfies UserRoles,
    effectiveRoles: [...roles, ...(user.ghost_user ? ["GHOST_USER"] : [])],
    permissions: ctx.purpose === "full" ? [...ctx.permissions] : [],
    instances: mine,
    userPref: await preferences.read(id),
    versionMetadata,
  };
}

function isInternal(email: string, domain: string | undefined): boolean {
  return domain !== undefined && email.toLowerCase().endsWith(`@${domain.toLowerCase().replace(/^@/, "")}`);
}
