/** Sign-ins that are under way in `app`, found by the hash of their state once. Decides nothing. */
import type { Id } from "@accord/contracts";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import type { SystemAccount } from "@accord/contracts/connections/oauth-sign-in";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";
import type { GrantBinding, Place } from "./grants.store.ts";

/** The settings that a sign-in was begun with: its answer counts for no others. */
export interface SignInBinding extends GrantBinding {
  /** What the answer must name as `iss`; null: none was entered. */
  issuer: string | null;
  /** Of the redirect address; null, and in sign-ins begun by an earlier version absent: the shared one. */
  redirectName?: string | null;
  /** The account that a person chose in place of the former one; absent: another one is refused. */
  chosen?: ChosenAccount;
}

/** `id` null: whichever, as the system named none. `former`: id of the account in whose place. */
export interface ChosenAccount {
  id: string | null;
  former: string;
}

/** What a refused sign-in found, and what the connection had. */
export interface OtherAccount {
  former: SystemAccount;
  found: SystemAccount | null;
}

export interface SignInRow {
  id: Id<"signIn">;
  instance_id: Id<"instance">;
  connector_id: Id<"connector">;
  user_id: string;
  session_id: string;
  sealed: string;
  binding: SignInBinding;
  is_own_window: boolean;
  is_over: boolean;
}

export interface AttemptRow {
  id: Id<"signIn">;
  status: "waiting" | "done" | "failed";
  problem: ConnectorProblem | null;
  other_account: OtherAccount | null;
  started_at: string;
  expires_at: string;
  is_over: boolean;
}

/** In place of those the same person began before for this connector. */
export async function insertSignIn(
  db: Db,
  { at, connectorId }: Place,
  signIn: {
    id: string;
    userId: string;
    sessionId: string;
    stateHash: string;
    sealed: string;
    binding: SignInBinding;
    isOwnWindow: boolean;
    seconds: number;
  },
): Promise<void> {
  const { id, userId, sessionId, stateHash, sealed, binding, isOwnWindow, seconds } = signIn;
  await sql`DELETE FROM oauth_sign_in WHERE instance_id = ${at} AND (expires_at < now() - interval '1 hour'
    OR (connector_id = ${connectorId} AND user_id = ${userId}))`.execute(db);
  await sql`
    INSERT INTO oauth_sign_in (id, instance_id, connector_id, user_id, session_id, state_hash, sealed, binding,
      is_own_window, status, expires_at)
    VALUES (${id}, ${at}, ${connectorId}, ${userId}, ${sessionId}, ${stateHash}, ${sealed}, ${JSON.stringify(binding)},
      ${isOwnWindow}, 'waiting', now() + ${seconds}::float8 * interval '1 second')`.execute(db);
}

/** Uses a state up: it is found once. Rows are of any instance; whoever asks compares. */
export async function takeSignIn(db: Db, stateHash: string): Promise<SignInRow | null> {
  const { rows } = await sql<SignInRow>`
    UPDATE oauth_sign_in SET state_hash = NULL WHERE state_hash = ${stateHash}
    RETURNING id, instance_id, connector_id, user_id, session_id, sealed, binding, is_own_window,
      expires_at <= now() AS is_over`.execute(db);
  return rows[0] ?? null;
}

export async function endSignIn(
  db: Db,
  { instance_id: at, id }: Pick<SignInRow, "instance_id" | "id">,
  problem: ConnectorProblem | null,
  otherAccount: OtherAccount | null = null,
): Promise<void> {
  await sql`
    UPDATE oauth_sign_in SET status = ${problem ? "failed" : "done"}, sealed = '',
      other_account = ${otherAccount && JSON.stringify(otherAccount)}::jsonb,
      problem = ${problem && JSON.stringify(problem)}::jsonb
    WHERE instance_id = ${at} AND id = ${id}`.execute(db);
}

/** The last one that a person began. */
export async function findAttempt(db: Db, { at, connectorId }: Place, userId: string): Promise<AttemptRow | null> {
  const { rows } = await sql<AttemptRow>`
    SELECT id, status, problem, other_account, started_at, expires_at, expires_at <= now() AS is_over FROM oauth_sign_in
    WHERE instance_id = ${at} AND connector_id = ${connectorId} AND user_id = ${userId}
    ORDER BY started_at DESC LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** With a deleted connector. */
export async function deleteGrantOf(db: Db, at: Id<"instance">, connectorId: string): Promise<void> {
  await sql`DELETE FROM oauth_grant WHERE instance_id = ${at} AND connector_id = ${connectorId}`.execute(db);
  await sql`DELETE FROM oauth_sign_in WHERE instance_id = ${at} AND connector_id = ${connectorId}`.execute(db);
}
