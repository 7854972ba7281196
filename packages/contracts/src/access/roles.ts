/** The six built-in roles. Which permissions each holds is the server's one grant table. */
export const BUILT_IN_ROLES = [
  "ORG_ADMIN",
  "INSTANCE_ADMIN",
  "SUPER_ADMIN",
  "SYNC_MANAGER",
  "VIEWER",
  "DASHBOARD_LIGHT_VIEWER",
] as const;

export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];
