/** Sessions: opened at sign-in, found by their token, ended by time, sign-out or a change of password. */
import type { Id } from "@accord/contracts";
import type { Principal, Sessions } from "../../../platform/access/principal.ts";
import { hashToken, newToken } from "../../../platform/access/token.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { effectivePermissions } from "../roles/index.ts";
import * as store from "./sessions.store.ts";

export const IDLE_MS = 30 * 60_000;
export const ABSOLUTE_MS = 12 * 3_600_000;
/** How stale "last seen" may be: a write per request would be wasteful. */
const TOUCH_EVERY_MS = 60_000;

export interface NewSession {
  userId: string;
  instanceId: string | null;
  purpose: "full" | "passwordChange";
  address: string;
  userAgent: string;
}

export interface SessionBook extends Sessions {
  /** Opens a session; the token goes to the browser and is stored nowhere. */
  open(session: NewSession): Promise<{ sessionId: string; token: string }>;
  end(sessionId: string): Promise<void>;
  endByToken(token: string): Promise<void>;
  /** Ends all sessions of a user and closes their windows. `db`: inside a transaction. */
  endAll(userId: Id<"user">, options?: { except?: string; db?: Db }): Promise<void>;
  removeEnded(): Promise<void>;
}

type Needs = Pick<Deps, "appDb" | "clock" | "newId" | "realtime">;

export function sessionService({ appDb, clock, newId, realtime }: Needs): SessionBook {
  async function find(token: string): Promise<Principal | null> {
    const facts = await store.findSession(appDb, hashToken(token));
    if (!facts || facts.status !== "ACTIVE") return null;
    const now = clock.now();
    const seen = new Date(facts.last_seen_at).getTime();
    const idle = now.getTime() - seen;
    if (idle >= IDLE_MS || now.getTime() - new Date(facts.created_at).getTime() >= ABSOLUTE_MS) return null;
    if (idle >= TOUCH_EVERY_MS) await store.touchSession(appDb, facts.session_id, now);
    return toPrincipal(facts);
  }

  return {
    find,
    async open({ userId, instanceId, purpose, address, userAgent }) {
      const token = newToken();
      const sessionId: string = newId();
      const now = clock.now();
      await store.insertSession(appDb, {
        id: sessionId,
        token_hash: hashToken(token),
        user_id: userId,
        instance_id: instanceId,
        purpose,
        address,
        user_agent: userAgent,
        created_at: now,
        last_seen_at: now,
      });
      return { sessionId, token };
    },
    async end(sessionId) {
      await store.deleteSession(appDb, sessionId);
      await realtime.disconnect({ sessionId });
    },
    endByToken: (token) => store.deleteSessionByToken(appDb, hashToken(token)),
    async endAll(userId, { except, db = appDb } = {}) {
      await store.deleteSessionsOf(db, userId, except);
      await realtime.disconnect({ userId });
    },
    async removeEnded() {
      const now = clock.now().getTime();
      await store.deleteEndedSessions(appDb, new Date(now - IDLE_MS), new Date(now - ABSOLUTE_MS));
      await store.deleteOldLinks(appDb, new Date(now - 7 * 86_400_000));
    },
  };
}

function toPrincipal(facts: store.SessionFacts): Principal {
  const holdings = {
    roles: facts.roles,
    customPermissions: facts.custom_permissions,
    orgAdmin: facts.org_admin,
    superAdmin: facts.super_admin,
  };
  const permissions = effectivePermissions(holdings);
  // Whoever lost their last role in the instance is no longer in it.
  const mayEnter = facts.org_admin || facts.super_admin || facts.roles.length > 0;
  return {
    sessionId: facts.session_id,
    userId: facts.user_id as Id<"user">,
    email: facts.email,
    firstName: facts.first_name,
    lastName: facts.last_name,
    organisationId: facts.organisation_id as Id<"organisation">,
    instanceId: mayEnter ? (facts.instance_id as Id<"instance"> | null) : null,
    schemaVersion: facts.schema_version,
    isOrganisationAdmin: facts.org_admin || facts.super_admin,
    purpose: facts.purpose,
    permissions,
  };
}
