/** Who may call an endpoint by its contract, for tests that ask whether the server keeps to it. */
import { BUILT_IN_ROLES, isPermission, type AnyEndpoint } from "@accord/contracts";
import { permissionsOfRole } from "../../src/platform/access/role-permissions.ts";

export const CALLERS = [...BUILT_IN_ROLES, "ANONYMOUS", "PASSWORD_EXPIRED", "SHARE_VIEWER"] as const;
export type CallerName = (typeof CALLERS)[number];

/** What its contract says that a caller has to be or to hold, all of it. */
export const accessOf = ({ access, alsoNeeds }: AnyEndpoint): string[] => [access, ...(alsoNeeds ? [alsoNeeds] : [])];

/** What the contract says, worked out apart from the code that enforces it. */
export function mayCall(endpoint: AnyEndpoint, caller: CallerName): boolean {
  const { access } = endpoint;
  if (access === "public") return true;
  if (access === "shareViewer") return caller === "SHARE_VIEWER";
  if (caller === "ANONYMOUS" || caller === "SHARE_VIEWER") return false;
  if (access === "passwordExpired") return true;
  if (caller === "PASSWORD_EXPIRED") return false;
  if (access === "signedIn") return true;
  const held = permissionsOfRole(caller);
  return accessOf(endpoint).every((permission) => isPermission(permission) && held.has(permission));
}
