/** THE grant table: which built-in role holds which permission. Nothing else in the product grants anything. */
import { BUILT_IN_ROLES, PERMISSIONS, type BuiltInRole, type Permission } from "@accord/contracts";

/** The role with the smallest reach that holds the permission; every role to its left in `LADDER` holds it too. */
type Holder = "super" | "organisation" | "instance" | "sync" | "viewer" | "everybody";

/** From most to least reach. The six built-in roles form one ladder, so one word per permission is the whole matrix. */
const LADDER: Record<Holder, readonly BuiltInRole[]> = {
  super: ["SUPER_ADMIN"],
  organisation: ["SUPER_ADMIN", "ORG_ADMIN"],
  instance: ["SUPER_ADMIN", "ORG_ADMIN", "INSTANCE_ADMIN"],
  sync: ["SUPER_ADMIN", "ORG_ADMIN", "INSTANCE_ADMIN", "SYNC_MANAGER"],
  viewer: ["SUPER_ADMIN", "ORG_ADMIN", "INSTANCE_ADMIN", "SYNC_MANAGER", "VIEWER"],
  everybody: BUILT_IN_ROLES,
};

const HELD_FROM: Record<Permission, Holder> = {
  LIST_ORGANISATIONS: "super",
  PROVISION_ORGANISATION: "super",
  PROVISION_TRIAL_ORGANISATION: "super",
  RESET_SUBSCRIPTION: "super",
  GHOST_LOGIN: "super",
  APPROVE_CUSTOM_SYNAPSE: "super",
  DEBUG: "super",

  EDIT_SUBSCRIPTION: "organisation",
  ADD_INSTANCE: "organisation",
  DELETE_INSTANCE: "organisation",
  READ_SSO: "organisation",
  WRITE_SSO: "organisation",

  EDIT_INSTANCE: "instance",
  ENABLE_FEATURE: "instance",
  DISABLE_FEATURE: "instance",
  ENABLE_INSIGHTS: "instance",
  ADD_ROLE: "instance",
  EDIT_ROLE: "instance",
  DELETE_ROLE: "instance",
  LIST_ROLES: "instance",
  ADD_ROLE_PRIVILEGE: "instance",
  REMOVE_ROLE_PRIVILEGE: "instance",
  ADD_USER_ROLE: "instance",
  REMOVE_USER_ROLE: "instance",
  INVITE_USER: "instance",
  REINVITE_USER: "instance",
  LIST_USERS: "instance",
  DELETE_USER: "instance",
  REMOVE_USER: "instance",
  ACTIVATE_USER: "instance",
  DEACTIVATE_USER: "instance",
  EDIT_BRANDING: "instance",
  WRITE_EMAIL_NOTIFICATION: "instance",
  WRITE_WEBHOOK_NOTIFICATION: "instance",
  CREATE_ALLOWED_DOMAINS: "instance",
  SERVICE_CREDENTIAL: "instance",
  READ_OUTBOX: "instance",
  PUBLISH_QUICK_START: "instance",
  SHARE_QUICK_START_IN_ORGANISATION: "instance",

  READ_EMAIL_NOTIFICATION: "sync",
  READ_WEBHOOK_NOTIFICATION: "sync",
  READ_ALLOWED_DOMAINS: "sync",
  WRITE_CONNECTOR: "sync",
  TEST_CONNECTION: "sync",
  WRITE_STUDIO: "sync",
  WRITE_ACTION: "sync",
  SHARE_ACTION: "sync",
  WRITE_TAG: "sync",
  SHARE_QUICK_START: "sync",
  WRITE_DATA_STUDIO: "sync",
  WRITE_REFERENCE_DATA: "sync",
  WRITE_FILE_DATA: "sync",
  WRITE_INSIGHTS: "sync",
  CREATE_DASHBOARD: "sync",
  UPDATE_DASHBOARD: "sync",
  PUBLISH_DASHBOARD: "sync",
  DELETE_DASHBOARD: "sync",
  CREATE_DATACARD: "sync",
  UPDATE_DATACARD: "sync",
  PUBLISH_DATACARD: "sync",
  DELETE_DATACARD: "sync",
  CREATE_DATASET: "sync",
  UPDATE_DATASET: "sync",
  PUBLISH_DATASET: "sync",
  DELETE_DATASET: "sync",
  EXPORT_DATASET: "sync",
  DOWNLOAD_EXPORT: "sync",
  CANCEL_EXPORT: "sync",
  DELETE_EXPORT: "sync",
  VIEW_EXPORT_JOBS: "sync",
  SHARE_DASHBOARD: "sync",
  READ_ALL_SHARED_DASHBOARDS: "sync",
  READ_SHARED_DASHBOARD_DETAILS: "sync",
  DELETE_SHARED_DASHBOARD_DETAILS: "sync",
  UPDATE_SHARED_DASHBOARD_EXPIRY: "sync",

  READ_CONNECTOR: "viewer",
  READ_STUDIO: "viewer",
  READ_ACTION: "viewer",
  READ_TAG: "viewer",
  READ_DATA_STUDIO: "viewer",
  READ_REFERENCE_DATA: "viewer",
  READ_FILE_DATA: "viewer",
  VIEW_TRANSACTIONS: "viewer",
  READ_INSIGHTS: "viewer",
  VIEW_DATACARD: "viewer",
  PREVIEW_DATACARD: "viewer",
  READ_DATASET_FUNCTIONS: "viewer",

  READ_DASHBOARD: "everybody",
  LIST_INSTANCES: "everybody",
  READ_FEATURES: "everybody",
  READ_PROFILE: "everybody",
  WRITE_PROFILE: "everybody",
};

export function permissionsOfRole(role: BuiltInRole): ReadonlySet<Permission> {
  return GRANTS[role];
}

const GRANTS = Object.fromEntries(
  BUILT_IN_ROLES.map((role) => [
    role,
    new Set(PERMISSIONS.filter((permission) => LADDER[HELD_FROM[permission]].includes(role))),
  ]),
) as unknown as Record<BuiltInRole, ReadonlySet<Permission>>;
