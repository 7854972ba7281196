/** What a person may do in an instance: roles held there plus their flags, as a set of permissions. */
import { BUILT_IN_ROLES, type BuiltInRole, type Permission, isPermission } from "@accord/contracts";
import { permissionsOfRole } from "../../../platform/access/role-permissions.ts";

/** Everything that gives rights in one instance. */
export interface Holdings {
  /** Names of built-in roles and ids of own ones. */
  roles: readonly string[];
  /** Permissions of the own roles among them. */
  customPermissions: readonly string[];
  orgAdmin: boolean;
  superAdmin: boolean;
}

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_ROLES);

export const isBuiltInRole = (role: string): role is BuiltInRole => BUILT_IN.has(role);

/** Built-in roles that count, flags included. */
export function effectiveRoles({ roles, orgAdmin, superAdmin }: Holdings): string[] {
  const held = new Set(roles);
  if (orgAdmin) held.add("ORG_ADMIN");
  if (superAdmin) held.add("SUPER_ADMIN");
  return [...held];
}

export function effectivePermissions(holdings: Holdings): ReadonlySet<Permission> {
  const granted = new Set<Permission>(holdings.customPermissions.filter(isPermission));
  for (const role of effectiveRoles(holdings)) {
    if (isBuiltInRole(role)) for (const permission of permissionsOfRole(role)) granted.add(permission);
  }
  return granted;
}

/** Whether somebody with `holder` may give or take `wanted`: nobody reaches above themselves. */
export function isWithin(wanted: Iterable<Permission>, holder: ReadonlySet<Permission>): boolean {
  for (const permission of wanted) if (!holder.has(permission)) return false;
  return true;
}
