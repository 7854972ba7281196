/** Who may call an endpoint by its contract, for tests that ask whether the server keeps to it. */
import { BUILT_IN_ROLES, type AnyEndpoint } from "@accord/contracts";
import { permissionsOfRole } from "../../src/platform/access/role-permissions.ts";

export const CALLERS = [...BUILT_IN_ROLES, "ANONYMOUS", "PASSWORD_EXPIRED", "SHARE_VIEWER"] as const;
export type CallerName = (typeof CALLERS)[number];

/** What the contract says, worked out apart from the code that enforces it. */
export function mayCall({ access, alsoNeeds }: AnyEndpoint, caller: CallerName): boolean {
  if (access === "public") return true;
  if (access === "shareViewer") return caller === "SHARE_VIEWER";
  if (caller === "ANONYMOUS" || caller === "SHARE_VIEWER") return false;
  if (access === "passwordExpired") return true;
  if (caller === "PASSWORD_EXPIRED") return false;
  if (access === "signedIn") return true;
  const held = permissionsOfRole(caller);
  return held.has(access) && (!alsoNeeds || held.has(alsoNeeds));
}
