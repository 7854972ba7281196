/** What can be done to a person, by their state: the row menu shows exactly this. */
import type { Permission } from "@accord/contracts";
import type { User } from "@accord/contracts/identity/users";

export type UserAction = "editRoles" | "reinvite" | "oneTimeLink" | "activate" | "deactivate" | "remove" | "delete";

export const ALLOWED: Record<User["status"], readonly UserAction[]> = {
  PENDING: ["editRoles", "reinvite", "oneTimeLink", "remove", "delete"],
  ACTIVE: ["editRoles", "oneTimeLink", "deactivate", "remove", "delete"],
  INACTIVE: ["editRoles", "activate", "remove", "delete"],
};

const DEMANDS: Record<UserAction, Permission> = {
  editRoles: "ADD_USER_ROLE",
  reinvite: "REINVITE_USER",
  oneTimeLink: "REINVITE_USER",
  activate: "ACTIVATE_USER",
  deactivate: "DEACTIVATE_USER",
  remove: "REMOVE_USER",
  delete: "DELETE_USER",
};

/** Nobody locks themselves out: one's own row only lets roles be changed. */
export function userActions(
  user: Pick<User, "id" | "status">,
  me: { id: string; permissions: readonly Permission[] },
): readonly UserAction[] {
  return ALLOWED[user.status].filter(
    (action) => me.permissions.includes(DEMANDS[action]) && (user.id !== me.id || action === "editRoles"),
  );
}
