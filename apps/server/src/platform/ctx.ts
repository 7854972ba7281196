/** Who is calling, in which instance: made by the HTTP edge, demanded by every use case. */
import type { Id, Permission } from "@accord/contracts";

/** The caller of a use case inside one instance. `instanceId` is the session's, never a parameter. */
export interface Ctx {
  readonly requestId: string;
  /** Throws `not_signed_in` when read without a staff session. */
  readonly actor: Actor;
  /** Whether `actor` can be read. */
  readonly signedIn: boolean;
  /** `passwordChange`: the session may only set a new password. null: no session. */
  readonly purpose: "full" | "passwordChange" | null;
  /** The outsider of a `shareViewer` call; throws `share_password_required` on any other. */
  readonly viewer: ShareViewer;
  /** Throws when read outside an instance (public and organisation endpoints). */
  readonly instanceId: Id<"instance">;
  /** Whether `instanceId` can be read. */
  readonly hasInstance: boolean;
  readonly organisationId: Id<"organisation">;
  /** Counts the changes of the instance's unified model, as of the start of the call. null: not known. */
  readonly schemaVersion: number | null;
  /** Sees all instances and people of the organisation. A matter of rank: no permission stands for it. */
  readonly isOrganisationAdmin: boolean;
  /** Everything the caller may do in the current instance. */
  readonly permissions: ReadonlySet<Permission>;
  can(permission: Permission): boolean;
  /** Throws `forbidden`. For checks that depend on the object and so can't stand on the endpoint. */
  demand(permission: Permission): void;
  readonly exchange: Exchange;
}

/** What most use cases need of a caller. The product acts with one of these too, when it makes the demo. */
export type Caller = Pick<Ctx, "instanceId" | "actor" | "can">;

export interface Actor {
  userId: Id<"user">;
  email: string;
  firstName: string;
  lastName: string;
  sessionId: string;
}

/** Somebody outside the organisation who opened one shared dashboard. */
export interface ShareViewer {
  email: string;
  sessionId: string;
  instanceId: Id<"instance">;
  organisationId: Id<"organisation">;
}

/** The HTTP exchange itself, for the few use cases about it: sign-in, throttling, downloads. */
export interface Exchange {
  /** Address of the caller, for logs and the audit. */
  readonly address: string;
  /** What attempts of this caller are counted under: the address, of IPv6 its network. */
  readonly network: string;
  readonly userAgent: string;
  /** Aborted when the caller leaves before the answer: give it to long work that is of no use to anybody else. */
  readonly signal: AbortSignal;
  /** Value of a cookie the browser sent. */
  cookie(name: string): string | undefined;
  /** Always HttpOnly, and Secure when the product is served by https. `maxAge` in seconds; none = the browser's session. */
  setCookie(name: string, value: string, options: CookieOptions): void;
  clearCookie(name: string, options: Pick<CookieOptions, "path">): void;
  setHeader(name: string, value: string): void;
}

export interface CookieOptions {
  path: string;
  sameSite: "strict" | "lax";
  maxAge?: number;
  /** Only for the anti-forgery token, which the page must read. */
  readable?: true;
}
