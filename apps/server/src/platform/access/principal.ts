/** Who stands behind a session token, as the edge needs to know it. The identity module finds them. */
import type { Id, Permission } from "@accord/contracts";
import type { Actor } from "../ctx.ts";

export interface Principal extends Actor {
  organisationId: Id<"organisation">;
  /** null: not working in any instance (none left, or not chosen yet). */
  instanceId: Id<"instance"> | null;
  /** Counts the changes of the instance's unified model; null without an instance. */
  schemaVersion: number | null;
  /** Administers the organisation, or the installation: by rank, whatever single permissions a role may hold. */
  isOrganisationAdmin: boolean;
  /** `passwordChange`: may only set a new password. */
  purpose: "full" | "passwordChange";
  /** What they may do in their current instance, worked out anew for each request. */
  permissions: ReadonlySet<Permission>;
}

export interface Sessions {
  /** null: unknown, ended or expired, or its user may not sign in any more. */
  find(token: string): Promise<Principal | null>;
}
