/** Grants of systems and their renewals in `app`. Times are the database's: the clocks of servers need not agree. Decides nothing. */
import type { Id } from "@accord/contracts";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import type { SystemAccount } from "@accord/contracts/connections/oauth-sign-in";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

/** The settings that a grant was made for. */
export interface GrantBinding {
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  /** Origins that its access tokens may be sent to, and the address that may have its refresh tokens. */
  destinations: string[];
}

export interface GrantRow {
  binding: GrantBinding;
  sealed: string;
  is_renewed: boolean;
  version: string;
  signed_in_by: string;
  signed_in_at: string;
  expires_at: string | null;
  /** Milliseconds for which the access token still holds; null: not known. */
  expires_in: number | null;
  /** Milliseconds since it was renewed; null: not since the sign-in. */
  renewed_for: number | null;
  /** Somebody renews it now. */
  is_renewing: boolean;
  unanswered: number;
  /** Renewals in a row that failed and may be tried again; what the last one was, and milliseconds until then. */
  failures: number;
  failure: ConnectorProblem | null;
  waits_for: number;
  problem: ConnectorProblem | null;
  /** The problem keeps it from being tried. */
  is_refused: boolean;
  account: SystemAccount | null;
}

export interface Place {
  at: Id<"instance">;
  connectorId: string;
}

/** What is stored of tokens; `expiresIn` in seconds. */
export interface StoredTokens {
  sealed: string;
  isRenewed: boolean;
  expiresIn: number | null;
}

const endOf = (seconds: number | null) => sql`now() + ${seconds}::float8 * interval '1 second'`;
const json = (value: unknown): string => JSON.stringify(value);

export async function findGrant(db: Db, { at, connectorId }: Place): Promise<GrantRow | null> {
  const { rows } = await sql<GrantRow>`
    SELECT binding, account, sealed, is_renewed, version::text AS version, signed_in_by, signed_in_at, expires_at,
      (extract(epoch FROM expires_at - now()) * 1000)::float8 AS expires_in,
      (extract(epoch FROM now() - renewed_at) * 1000)::float8 AS renewed_for,
      coalesce(renewal_until > now(), false) AS is_renewing, unanswered, problem, failures, failure,
      greatest(0, coalesce(extract(epoch FROM next_at - now()) * 1000, 0))::float8 AS waits_for,
      problem IS NOT NULL AND (retry_at IS NULL OR retry_at > now()) AS is_refused
    FROM oauth_grant WHERE instance_id = ${at} AND connector_id = ${connectorId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * In place of the one before, within a transaction. False: meanwhile the connector was deleted, or somebody signed in with
 * another account than `former`.
 */
export async function saveGrant(
  db: Db,
  { at, connectorId }: Place,
  grant: StoredTokens & {
    binding: GrantBinding;
    userId: string;
    by: string;
    account: SystemAccount | null;
    former: SystemAccount | null;
  },
): Promise<boolean> {
  // Deleting waits for this, or was done before it.
  const { rows } = await sql`SELECT 1 FROM connector
    WHERE instance_id = ${at} AND id = ${connectorId} AND status <> 'DELETED' FOR SHARE`.execute(db);
  if (rows.length === 0) return false;
  const { numAffectedRows } = await sql`
    INSERT INTO oauth_grant AS g (connector_id, instance_id, binding, sealed, is_renewed, expires_at, version, user_id,
      signed_in_by, signed_in_at, account)
    VALUES (${connectorId}, ${at}, ${json(grant.binding)}, ${grant.sealed}, ${grant.isRenewed}, ${endOf(grant.expiresIn)},
      1, ${grant.userId}, ${grant.by}, now(), ${grant.account && json(grant.account)}::jsonb)
    ON CONFLICT (connector_id) DO UPDATE SET binding = EXCLUDED.binding, sealed = EXCLUDED.sealed,
      is_renewed = EXCLUDED.is_renewed, expires_at = EXCLUDED.expires_at, version = g.version + 1,
      user_id = EXCLUDED.user_id, signed_in_by = EXCLUDED.signed_in_by, signed_in_at = EXCLUDED.signed_in_at,
      renewal_id = NULL, renewal_until = NULL, unanswered = 0, problem = NULL, retry_at = NULL,
      failures = 0, failure = NULL, next_at = NULL, renewed_at = NULL, account = EXCLUDED.account
    WHERE g.account IS NOT DISTINCT FROM ${grant.former && json(grant.former)}::jsonb`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Takes the renewal of one version for this caller, and counts it as not answered until an answer is stored: a server that
 * ends in the middle leaves it so. False while another one renews it, or when it was renewed meanwhile.
 */
export async function claimRenewal(
  db: Db,
  { at, connectorId }: Place,
  claim: { version: string; renewalId: string; forMs: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE oauth_grant SET renewal_id = ${claim.renewalId}, unanswered = unanswered + 1,
      renewal_until = now() + ${claim.forMs}::float8 * interval '1 millisecond'
    WHERE instance_id = ${at} AND connector_id = ${connectorId} AND version = ${claim.version}
      AND (renewal_until IS NULL OR renewal_until <= now()) AND (next_at IS NULL OR next_at <= now())`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** False when somebody signed in again meanwhile, or the renewal took longer than it was claimed for. */
export async function saveRenewal(
  db: Db,
  { at, connectorId }: Place,
  renewalId: string,
  tokens: StoredTokens,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE oauth_grant SET sealed = ${tokens.sealed}, is_renewed = ${tokens.isRenewed},
      expires_at = ${endOf(tokens.expiresIn)}, version = version + 1, renewed_at = now(), renewal_id = NULL, renewal_until = NULL,
      unanswered = 0, problem = NULL, retry_at = NULL, failures = 0, failure = NULL, next_at = NULL
    WHERE instance_id = ${at} AND connector_id = ${connectorId} AND renewal_id = ${renewalId}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** How a renewal ended that brought no token. */
export interface FailedRenewal {
  isAnswered: boolean;
  /** Only a person can go on, or an outage has to end (`retryAfterMs`). */
  problem: ConnectorProblem | null;
  retryAfterMs: number | null;
  /** It may be tried again, after as many milliseconds. */
  failure: { problem: ConnectorProblem; forMs: number } | null;
}

export async function endRenewal(
  db: Db,
  { at, connectorId }: Place,
  renewalId: string,
  outcome: FailedRenewal,
): Promise<void> {
  const { failure } = outcome;
  await sql`
    UPDATE oauth_grant SET renewal_id = NULL, renewal_until = NULL,
      unanswered = CASE WHEN ${outcome.isAnswered} THEN 0 ELSE unanswered END,
      problem = ${outcome.problem && json(outcome.problem)}::jsonb,
      retry_at = now() + ${outcome.retryAfterMs}::float8 * interval '1 millisecond',
      failures = CASE WHEN ${failure !== null} THEN failures + 1 ELSE 0 END,
      failure = ${failure && json(failure.problem)}::jsonb,
      next_at = now() + ${failure && failure.forMs}::float8 * interval '1 millisecond'
    WHERE instance_id = ${at} AND connector_id = ${connectorId} AND renewal_id = ${renewalId}`.execute(db);
}

/** Nothing when it was renewed or replaced meanwhile. */
export async function saveGrantProblem(
  db: Db,
  { at, connectorId }: Place,
  version: string,
  { problem, retryAfterMs }: { problem: ConnectorProblem; retryAfterMs: number | null },
): Promise<void> {
  await sql`
    UPDATE oauth_grant SET problem = ${json(problem)}::jsonb,
      retry_at = now() + ${retryAfterMs}::float8 * interval '1 millisecond'
    WHERE instance_id = ${at} AND connector_id = ${connectorId} AND version = ${version}`.execute(db);
}

/** Somebody changed settings: the next renewal need not wait for what failed with the former ones. */
export async function endBackOff(db: Db, { at, connectorId }: Place): Promise<void> {
  await sql`
    UPDATE oauth_grant SET failures = 0, failure = NULL, next_at = NULL
    WHERE instance_id = ${at} AND connector_id = ${connectorId}`.execute(db);
}
