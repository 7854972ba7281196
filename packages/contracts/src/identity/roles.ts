/** Roles: six built-in ones, and those an organisation makes for itself from single permissions. */
import { z } from "zod";
import { PERMISSIONS } from "../access/permissions.ts";
import { BUILT_IN_ROLES } from "../access/roles.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";

/** A built-in role by its name, an own one by its id. */
export const RoleKey = z.union([z.enum(BUILT_IN_ROLES), id("role")]);
export type RoleKey = z.infer<typeof RoleKey>;

/** Roles by instance id. */
export const UserRoles = z.record(id("instance"), z.array(RoleKey).max(20));
export type UserRoles = z.infer<typeof UserRoles>;

const name = z.string().trim().min(1, "is required").max(120, "must have at most 120 characters");
const description = z.string().trim().max(500).default("");
const permissions = z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length);

export const Role = z.strictObject({
  key: RoleKey,
  name: z.string(),
  description: z.string(),
  builtIn: z.boolean(),
  permissions: z.array(z.enum(PERMISSIONS)),
  /** Whether the reader may give this role to others: nobody grants more than they hold. */
  grantable: z.boolean(),
  users: z.int(),
  version: z.int(),
});
export type Role = z.infer<typeof Role>;

export const listRoles = endpoint({
  name: "listRoles",
  method: "GET",
  path: "/authz/roles",
  access: "LIST_ROLES",
  scope: "organisation",
  summary: "All roles with their permissions.",
  reply: z.strictObject({ roles: z.array(Role) }),
});

export const createRole = endpoint({
  name: "createRole",
  method: "POST",
  path: "/authz/roles",
  access: "ADD_ROLE",
  scope: "organisation",
  summary: "Makes a role from permissions the maker holds.",
  body: z.strictObject({ name, description, permissions }),
  reply: Role,
  creates: true,
  errors: ["name_taken", "role_not_grantable"],
});

export const updateRole = endpoint({
  name: "updateRole",
  method: "PUT",
  path: "/authz/roles/:roleId",
  access: "EDIT_ROLE",
  scope: "organisation",
  summary: "Changes an own role; built-in ones stay as they are.",
  params: z.strictObject({ roleId: id("role") }),
  body: z.strictObject({ name, description, permissions, version: z.int() }),
  reply: Role,
  errors: ["name_taken", "role_not_grantable", "stale_version"],
});

export const deleteRole = endpoint({
  name: "deleteRole",
  method: "DELETE",
  path: "/authz/roles/:roleId",
  access: "DELETE_ROLE",
  scope: "organisation",
  summary: "Deletes an own role that nobody holds.",
  params: z.strictObject({ roleId: id("role") }),
  reply: z.strictObject({}),
  errors: ["in_use"],
});
