/** Who is calling, in which instance: made by the HTTP edge, demanded by every use case. */
import type { Id, Permission } from "@accord/contracts";

/** The caller of a use case inside one instance. `instanceId` is the session's, never a parameter. */
export interface Ctx {
  requestId: string;
  /** Throws `not_signed_in` when read on a public endpoint without a session. */
  readonly actor: Actor;
  /** Throws when read outside an instance (public and organisation endpoints). */
  readonly instanceId: Id<"instance">;
  readonly organisationId: Id<"organisation">;
  can(permission: Permission): boolean;
  /** Throws `forbidden`. For checks that depend on the object and so can't stand on the endpoint. */
  demand(permission: Permission): void;
}

export interface Actor {
  userId: Id<"user">;
  email: string;
  firstName: string;
  lastName: string;
  sessionId: string;
}
