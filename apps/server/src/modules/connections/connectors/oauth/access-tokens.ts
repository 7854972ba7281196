/**
 * Access tokens of connections where a person signed in at the system: taken from what is stored, renewed before they end or
 * when the API refused one. One renewal at a time across all processes, by a lease on the grant's row.
 */
import {
  CONNECTOR_ERROR_KINDS,
  ConnectorError,
  LEAST_RENEWAL_MS,
  signInFirst,
  type AccessToken,
  type AuthorizationSettings,
  type ConnectorDefinition,
  type GetAccessToken,
} from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../../../platform/deps.ts";
import { backOffMs } from "./back-off.ts";
import { bindingOf, isBoundTo, openTokens, sealTokens } from "./grants.ts";
import {
  claimRenewal,
  endRenewal,
  findGrant,
  type GrantBinding,
  type GrantRow,
  type Place,
  saveGrantProblem,
  saveRenewal,
} from "./grants.store.ts";
import { signInAgain } from "./problems.ts";
import { refreshTokens, TOKEN_REQUEST_MS, TokenRequestError, type Tokens } from "./token-requests.ts";

type TokenDeps = Pick<Deps, "appDb" | "secrets" | "outbound" | "log">;

/** A connection as it is opened. */
export interface GrantedConnection extends Place {
  type: ConnectorDefinition;
  config: Values;
  authType: string;
  credentials: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Milliseconds before its end at which a token is renewed; and at which it is used all the same while that goes on. */
const EARLY_MS = 60_000;
const USABLE_MS = 5_000;
/** Of tokens that hold shortly, parts of their time: they would be renewed before each call. */
const EARLY_PART = 0.25;
const USABLE_PART = 0.05;
/** How long a renewal belongs to one process: a request and the storing of its answer. */
const LEASE_MS = TOKEN_REQUEST_MS + 20_000;
/** How often others look whether it is over, and how long at most. */
const POLL_MS = 100;
const MAX_WAIT_MS = 2 * LEASE_MS;
/** Requests in a row whose answers were lost: one of them may have used the refresh token up. */
const MAX_UNANSWERED = 2;
/** After as many milliseconds it is tried once more all the same: it may have been an outage. */
const RETRY_LOST_MS = 15 * 60_000;
/** Before the second request: what broke the first one off may break that off too. */
const LOST_PAUSE_MS = 1_000;
const SAVE_ATTEMPTS = 3;

/** How a connection gets access tokens; undefined for methods that need none. */
export function accessTokensOf(deps: TokenDeps, connection: GrantedConnection): GetAccessToken | undefined {
  const { type, authType, config, credentials } = connection;
  if (!type.authorization || authType !== "oauth") return undefined;
  const settings = type.authorization(config, credentials);
  const needed: Needed = { deps, connection, settings, binding: bindingOf(type, config, settings) };
  return async ({ refused } = {}) => {
    const end = performance.now() + MAX_WAIT_MS;
    for (;;) {
      connection.signal.throwIfAborted();
      const token = await tokenOf(needed, refused);
      if (token !== null) return token;
      if (performance.now() > end) throw silent(settings);
      await pause(POLL_MS, undefined, { signal: connection.signal });
    }
  };
}

interface Needed {
  deps: TokenDeps;
  connection: GrantedConnection;
  settings: AuthorizationSettings;
  binding: GrantBinding;
}

/** null: not yet, look again. */
async function tokenOf(needed: Needed, refused: string | undefined): Promise<AccessToken | null> {
  const { deps, connection, settings, binding } = needed;
  const grant = await findGrant(deps.appDb, connection);
  if (!grant) throw signInFirst(new URL(settings.authorizationUrl).host);
  if (!isBoundTo(grant.binding, binding)) throw outdated(settings);
  if (grant.problem && grant.is_refused) throw errorOf(grant.problem);
  const tokens = await openTokens(deps, connection, grant);
  const inHand = givenFor(settings, tokens);
  // Whatever its time is, and whoever refuses it.
  if (grant.renewed_for !== null && grant.renewed_for < LEAST_RENEWAL_MS) return inHand;
  const isRefused = refused !== undefined && refused === tokens.accessToken;
  const left = grant.expires_in ?? Number.POSITIVE_INFINITY;
  const lifeMs = (tokens.expiresIn ?? Number.POSITIVE_INFINITY) * 1000;
  if (!isRefused && left > Math.min(EARLY_MS, lifeMs * EARLY_PART)) return inHand;
  const isUsable = !isRefused && left > Math.min(USABLE_MS, lifeMs * USABLE_PART);
  if (tokens.refreshToken === null) {
    if (isUsable) return inHand;
    // One address may refuse what the others take: while the token holds, the grant stays as it is.
    if (isRefused && left > 0) throw ended(settings, "takes its access token no longer");
    const error = ended(settings, "gave an access token that has ended");
    await saveProblem(needed, grant, error);
    throw error;
  }
  if (grant.is_renewing) return isUsable ? inHand : null;
  if (grant.failure && grant.waits_for > 0) {
    if (isUsable) return inHand;
    throw errorOf(grant.failure, grant.waits_for);
  }
  if (grant.unanswered >= MAX_UNANSWERED && !grant.problem) return isUsable ? inHand : giveUpLost(needed, grant);
  try {
    return await renew(needed, grant, { refreshToken: tokens.refreshToken, instance: tokens.instance });
  } catch (error) {
    // The token in hand outlives a token address that is down for a moment.
    if (isUsable && error instanceof ConnectorError && error.retryable) return inHand;
    throw error;
  }
}

/** An address of the API that was entered since counts, not the one that the tokens came with. */
const givenFor = (
  { instanceMember }: AuthorizationSettings,
  { accessToken, instance }: Pick<Tokens, "accessToken" | "instance">,
): AccessToken => ({ value: accessToken, instance: instanceMember === null ? null : instance });

/** Asks for new tokens once. The new refresh token is stored before the access token that came with it is used. */
async function renew(
  needed: Needed,
  grant: GrantRow,
  { refreshToken, instance }: { refreshToken: string; instance: string | null },
): Promise<AccessToken | null> {
  const { deps, connection, settings, binding } = needed;
  const renewalId = randomUUID();
  if (!(await claimRenewal(deps.appDb, connection, { version: grant.version, renewalId, forMs: LEASE_MS })))
    return null;
  let tokens: Tokens;
  try {
    // What was begun is finished whoever gave it up: its answer holds the next refresh token.
    tokens = await refreshTokens(deps.outbound, settings, refreshToken);
  } catch (error) {
    if (!(error instanceof TokenRequestError)) throw error;
    return renewalFailed(needed, grant, renewalId, error);
  }
  // An answer that names neither again leaves both as they are.
  const kept = {
    ...tokens,
    refreshToken: tokens.refreshToken ?? refreshToken,
    instance: tokens.instance ?? instance,
  };
  const sealed = await sealTokens(deps, connection, binding, kept);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const isStored = await saveRenewal(deps.appDb, connection, renewalId, sealed);
      return isStored ? givenFor(settings, kept) : null;
    } catch (error) {
      if (attempt >= SAVE_ATTEMPTS) throw error;
      await pause(attempt * 500);
    }
  }
}

async function renewalFailed(
  { deps, connection, settings }: Needed,
  grant: GrantRow,
  renewalId: string,
  { reason, isLost, isRefused }: TokenRequestError,
): Promise<null> {
  deps.log.warn({ connectorId: connection.connectorId, reason: reason.message }, "an access token was not renewed");
  const isLastLost = isLost && grant.unanswered + 1 >= MAX_UNANSWERED;
  const lasting = isRefused ? reason : isLastLost ? lost(settings) : null;
  const forMs = backOffMs(grant.failures + 1, reason.retryAfterMs);
  await endRenewal(deps.appDb, connection, renewalId, {
    isAnswered: !isLost,
    problem: lasting && problemIn(lasting),
    retryAfterMs: isLastLost ? RETRY_LOST_MS : null,
    failure: lasting || isLost ? null : { problem: problemIn(reason), forMs },
  });
  // An answer that was lost is asked for once more.
  if (isLost && !isLastLost) {
    await pause(LOST_PAUSE_MS, undefined, { signal: connection.signal });
    return null;
  }
  throw lasting ? neverSent(lasting) : errorOf(problemIn(reason), forMs);
}

/** A server that asked for it last ended before it stored an answer. */
async function giveUpLost(needed: Needed, grant: GrantRow): Promise<never> {
  const error = lost(needed.settings);
  await saveProblem(needed, grant, error, RETRY_LOST_MS);
  throw error;
}

const ended = (settings: AuthorizationSettings, why: string): ConnectorError =>
  new ConnectorError(
    "authentication",
    `Failed OAuth: ${new URL(settings.tokenUrl).host} ${why}, and gave nothing to renew it with.`,
    { neverSent: true, hint: signInAgain(settings) },
  );

function saveProblem(
  { deps, connection }: Needed,
  { version }: GrantRow,
  error: ConnectorError,
  retryAfterMs: number | null = null,
): Promise<void> {
  return saveGrantProblem(deps.appDb, connection, version, { problem: problemIn(error), retryAfterMs });
}

const problemIn = ({ kind, message, hint = "" }: ConnectorError): ConnectorProblem => ({ kind, message, hint });

const lost = (settings: AuthorizationSettings): ConnectorError =>
  new ConnectorError(
    "authentication",
    `Failed OAuth: ${new URL(settings.tokenUrl).host} did not answer when the access token was to be renewed, twice. The refresh token may be used up.`,
    { neverSent: true, hint: signInAgain(settings) },
  );

const outdated = (settings: AuthorizationSettings): ConnectorError =>
  new ConnectorError(
    "authentication",
    "Failed OAuth: the addresses or the client of this connection have changed since.",
    {
      neverSent: true,
      hint: signInAgain(settings),
    },
  );

const silent = ({ tokenUrl }: AuthorizationSettings): ConnectorError =>
  new ConnectorError("timeout", `${new URL(tokenUrl).host} did not renew the access token in time.`, {
    neverSent: true,
  });

/** What is stored of a failure, as it is thrown again; `retryAfterMs`: until a renewal is tried. */
function errorOf({ kind, message, hint }: ConnectorProblem, retryAfterMs?: number): ConnectorError {
  const known = CONNECTOR_ERROR_KINDS.find((one) => one === kind) ?? "authentication";
  return new ConnectorError(known, message, { neverSent: true, hint: hint || undefined, retryAfterMs });
}

/** The call that needed the token was not made. */
const neverSent = ({ kind, message, hint, retryAfterMs }: ConnectorError): ConnectorError =>
  new ConnectorError(kind, message, { hint, retryAfterMs, neverSent: true });
