/** People: one's own profile, and the users of the organisation. */
import { z } from "zod";
import { TimeZone } from "../config/time-zone.ts";
import { PERMISSIONS } from "../access/permissions.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { InstanceSummary, InstanceType } from "./instances.ts";
import { Preferences } from "./preferences.ts";
import { RoleKey, UserRoles } from "./roles.ts";

export const UserStatus = z.enum(["PENDING", "ACTIVE", "INACTIVE"]);
export type UserStatus = z.infer<typeof UserStatus>;

const personName = z.string().trim().min(1, "is required").max(80, "must have at most 80 characters");
const email = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an e-mail address"));
/** Small picture as a data address; bigger ones are scaled down by the browser first. */
const photo = z
  .string()
  .max(300_000, "must be smaller than 200 KB")
  .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/, "must be a PNG, JPEG or WebP picture");

export const VersionMetadata = z.strictObject({ version: z.string(), product: z.string() });

/** The signed-in person, with what they may do in their current instance. */
export const CurrentUser = z.strictObject({
  id: id("user"),
  firstName: z.string(),
  lastName: z.string(),
  photo: z.string().nullable(),
  email: z.string(),
  timeZone: z.string(),
  status: UserStatus,
  orgId: id("organisation"),
  orgName: z.string(),
  orgLogo: z.string().nullable(),
  orgAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  isGhostUser: z.boolean(),
  /** A support session under this person's name. */
  ghosted: z.boolean(),
  superAdmin: z.boolean(),
  /** Any kind of administrator. */
  admin: z.boolean(),
  instanceAdmin: z.boolean(),
  /** The e-mail address is in the operator's own domain. */
  internal: z.boolean(),
  passwordExpired: z.boolean(),
  currentInstanceName: z.string().nullable(),
  currentInstanceAccordId: id("instance").nullable(),
  currentInstanceType: InstanceType.nullable(),
  userRoles: UserRoles,
  /** Roles and flags that count in the current instance. */
  effectiveRoles: z.array(z.string()),
  permissions: z.array(z.enum(PERMISSIONS)),
  instances: z.array(InstanceSummary),
  userPref: Preferences,
  versionMetadata: VersionMetadata,
});
export type CurrentUser = z.infer<typeof CurrentUser>;

export const getVersion = endpoint({
  name: "getVersion",
  method: "GET",
  path: "/version",
  access: "public",
  scope: "none",
  summary: "The version of the product.",
  reply: VersionMetadata,
});

export const getCurrentUser = endpoint({
  name: "getCurrentUser",
  method: "GET",
  path: "/user",
  access: "passwordExpired",
  scope: "none",
  summary: "The signed-in person; also answers while only a new password may be set.",
  reply: CurrentUser,
});

export const updateProfile = endpoint({
  name: "updateProfile",
  method: "POST",
  path: "/user",
  access: "WRITE_PROFILE",
  scope: "organisation",
  summary: "Changes one's own name, picture and time zone. An empty photo removes it.",
  bodyKind: "form",
  body: z.strictObject({
    id: id("user"),
    firstName: personName,
    lastName: personName,
    photo: z.union([z.literal(""), photo]).optional(),
    timeZone: TimeZone,
  }),
  reply: CurrentUser,
});

export const User = z.strictObject({
  id: id("user"),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  photo: z.string().nullable(),
  status: UserStatus,
  orgAdmin: z.boolean(),
  isSuperAdmin: z.boolean(),
  isGhostUser: z.boolean(),
  userRoles: UserRoles,
  createdAt: z.string(),
  /** Last sign-in that is still open; null when signed out. */
  lastSeenAt: z.string().nullable(),
});
export type User = z.infer<typeof User>;

const target = z.strictObject({ userId: id("user") });

export const listUsers = endpoint({
  name: "listUsers",
  method: "GET",
  path: "/organization/users",
  access: "LIST_USERS",
  scope: "organisation",
  summary: "The users of the organisation; instance administrators see those of their instances.",
  query: z.strictObject({ search: z.string().max(200).default("") }),
  reply: z.strictObject({ users: z.array(User) }),
});

export const inviteUser = endpoint({
  name: "inviteUser",
  method: "POST",
  path: "/organization/user",
  access: "INVITE_USER",
  scope: "organisation",
  summary: "Invites a person by e-mail, with roles the inviter may give.",
  body: z.strictObject({ email, firstName: personName, lastName: personName, userRoles: UserRoles }),
  reply: User,
  creates: true,
  errors: ["name_taken", "role_not_grantable"],
});

export const reinviteUser = endpoint({
  name: "reinviteUser",
  method: "POST",
  path: "/organization/user/reinvite/:userId",
  access: "REINVITE_USER",
  scope: "organisation",
  summary: "Mails a new invitation to a person who has not set a password yet; the old link ends.",
  params: target,
  reply: User,
  errors: ["invalid_state"],
});

export const createOneTimeLink = endpoint({
  name: "createOneTimeLink",
  method: "POST",
  path: "/organization/user/:userId/link",
  access: "REINVITE_USER",
  scope: "organisation",
  summary:
    "Makes a one-time link to set the person's password, for you to hand over: where no mail reaches them. You must hold everything that they hold; it is written to the audit log.",
  params: target,
  reply: z.strictObject({ link: z.string(), kind: z.enum(["invitation", "passwordReset"]), expiresAt: z.string() }),
  errors: ["invalid_state"],
});

export const activateUser = endpoint({
  name: "activateUser",
  method: "POST",
  path: "/organization/user/:userId/activate",
  access: "ACTIVATE_USER",
  scope: "organisation",
  summary: "Lets a deactivated person sign in again.",
  params: target,
  reply: User,
  errors: ["invalid_state"],
});

export const deactivateUser = endpoint({
  name: "deactivateUser",
  method: "POST",
  path: "/organization/user/:userId/deactivate",
  access: "DEACTIVATE_USER",
  scope: "organisation",
  summary: "Signs a person out everywhere and keeps them from signing in.",
  params: target,
  reply: User,
  errors: ["last_admin", "invalid_state"],
});

export const removeUser = endpoint({
  name: "removeUser",
  method: "POST",
  path: "/organization/user/:userId/remove",
  access: "REMOVE_USER",
  scope: "organisation",
  summary: "Ends a person's membership: roles go, the account stays without an organisation.",
  params: target,
  reply: z.strictObject({}),
  errors: ["last_admin"],
});

export const deleteUser = endpoint({
  name: "deleteUser",
  method: "DELETE",
  path: "/organization/user/:userId",
  access: "DELETE_USER",
  scope: "organisation",
  summary: "Erases a person's account.",
  params: target,
  reply: z.strictObject({}),
  errors: ["last_admin"],
});

export const changeUserRoles = endpoint({
  name: "changeUserRoles",
  method: "PATCH",
  path: "/organization/user/:userId/roles",
  access: "ADD_USER_ROLE",
  scope: "organisation",
  summary: "Sets roles per instance and the flags. Instances left out keep theirs; nobody gives more than they hold.",
  params: target,
  body: z.strictObject({
    userRoles: UserRoles.optional(),
    orgAdmin: z.boolean().optional(),
    ghostUser: z.boolean().optional(),
  }),
  reply: User,
  errors: ["role_not_grantable", "last_admin"],
});

export { RoleKey };
