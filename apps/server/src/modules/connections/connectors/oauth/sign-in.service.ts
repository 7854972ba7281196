/** Use cases of signing in at a system: begin, take the answer, and what there is now. */
import { ConnectorError, type AuthorizationSettings, type AuthType } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import {
  SIGN_IN_RESULT_PAGE,
  SIGN_IN_SECONDS,
  type ConnectorSignIn,
} from "@accord/contracts/connections/oauth-sign-in";
import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import type { Ctx } from "../../../../platform/ctx.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { ConnectorFinder } from "../connector-finder.ts";
import { typeOf } from "../connector-view.ts";
import { changeState, findStored, type ConnectorRow } from "../connectors.store.ts";
import { openCredential } from "../credentials/credentials.ts";
import { refuse, refuseForbiddenHosts } from "../refusals.ts";
import { bindingOf, isBoundTo, sealTokens } from "./grants.ts";
import { findGrant, saveGrant, type GrantBinding } from "./grants.store.ts";
import { redirectUrlOf } from "./redirect-url.ts";
import { endSignIn, findAttempt, insertSignIn, takeSignIn, type SignInRow } from "./sign-ins.store.ts";
import { exchangeCode, TokenRequestError } from "./token-requests.ts";

type InstanceId = Id<"instance">;
type ConnectorId = Id<"connector">;

export interface SignInNeeds {
  deps: Deps;
  finder: ConnectorFinder;
  /** Somebody changed how the connector connects. */
  reconnected(at: InstanceId, connectorId: ConnectorId): Promise<void>;
  /** Windows that show the connector read it again. */
  publish(at: InstanceId, connectorId: ConnectorId): Promise<void>;
}

/** The query of a system's answer. */
export interface SystemAnswer {
  state?: string | undefined;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
}

export type SignInUseCases = ReturnType<typeof signInService>;

export function signInService({ deps, finder, reconnected, publish }: SignInNeeds) {
  const { appDb, secrets } = deps;
  const redirectUrl = redirectUrlOf(deps.config);

  /** The stored settings of a connector. @throws AppError("validation_failed") while they are not complete. */
  const settingsOf = async (at: InstanceId, connectorId: ConnectorId) => {
    const row = await findStored(appDb, at, connectorId);
    if (!row) throw new AppError("not_found", { what: "Synapse" });
    const type = typeOf(row);
    if (row.auth_type !== "oauth" || !type.authorization)
      throw new AppError("invalid_state", { reason: `${row.name} is not set up to sign in at the system.` });
    const problems = type.signInProblems(row.config, row.auth_type);
    refuse(problems.map(({ path, message }) => ({ path: `config.${path}`, message })));
    const credentials = await openCredential(deps, at, row.credential, type.destinations(row.config, row.auth_type));
    const settings = type.authorization(row.config, credentials);
    return { row, type, settings, binding: bindingOf(type, row.config, settings) };
  };

  /** Stores what the system grants for a code. Nothing changes unless all of it worked. */
  const takeGrant = async (ctx: Ctx, signIn: SignInRow, answer: SystemAnswer): Promise<void> => {
    const { instance_id: at, connector_id: connectorId } = signIn;
    const place = { at, connectorId };
    const row = await finder.demandAction(at, connectorId, "test");
    const { settings, binding } = await settingsOf(at, connectorId);
    // Before anything leaves: a code goes to the token address alone that its sign-in was begun with.
    const isBegunSo = isSame(binding, signIn.binding) && settings.issuer === signIn.binding.issuer;
    if (!isBegunSo) throw changedMeanwhile();
    const codeVerifier = await secrets.open(verifierPlace(at, signIn.id), signIn.sealed);
    const given = new URLSearchParams(Object.entries(answer).filter(([, value]) => value !== undefined));
    const tokens = await exchangeCode(deps.outbound, {
      settings,
      answer: given,
      state: answer.state ?? "",
      codeVerifier,
      redirectUrl,
    });
    const sealed = await sealTokens(deps, place, binding, tokens);
    const by = nameOf(ctx);
    await saveGrant(appDb, place, { ...sealed, binding, userId: signIn.user_id, by });
    await showSignedIn(at, row);
    await reconnected(at, connectorId);
  };

  const showSignedIn = async (at: InstanceId, { id, status, activated_at }: ConnectorRow): Promise<void> => {
    const isBack = status === "ERROR" && activated_at !== null;
    if (!isBack && status !== "NEW" && status !== "ERROR") return;
    const change = { status: isBack ? "ACTIVE" : "AUTHENTICATED", problem: null } as const;
    await changeState(appDb, at, id, { status: [status] }, change);
  };

  return {
    async begin(ctx: Ctx, connectorId: ConnectorId, { isOwnWindow }: { isOwnWindow: boolean }) {
      const { instanceId: at, actor } = ctx;
      // Settings that were just saved have the schema read again: that keeps nobody from signing in.
      await finder.demandAction(at, connectorId, "test");
      const { row, type, settings, binding } = await settingsOf(at, connectorId);
      await refuseForbiddenHosts(deps.outbound, type.hosts(row.config, row.auth_type));
      const [id, state] = [deps.newId<"signIn">(), oauth.generateRandomState()];
      const codeVerifier = oauth.generateRandomCodeVerifier();
      const signIn = {
        id,
        userId: actor.userId,
        sessionId: actor.sessionId,
        stateHash: hashOf(state),
        sealed: await secrets.seal(verifierPlace(at, id), codeVerifier),
        binding: { ...binding, issuer: settings.issuer },
        isOwnWindow,
        seconds: SIGN_IN_SECONDS,
      };
      await appDb.transaction().execute((tx) => insertSignIn(tx, { at, connectorId }, signIn));
      const challenge = await oauth.calculatePKCECodeChallenge(codeVerifier);
      return { attemptId: id, authorizationUrl: addressOf(settings, { redirectUrl, state, challenge }) };
    },

    /** Takes what a system sent a person back with. Answers the page of our own that shows what came of it. */
    async finish(ctx: Ctx, answer: SystemAnswer): Promise<string> {
      const signIn = answer.state ? await takeSignIn(appDb, hashOf(answer.state)) : null;
      if (!signIn) return `${SIGN_IN_RESULT_PAGE}?problem=state`;
      const isOwn =
        ctx.signedIn &&
        ctx.purpose === "full" &&
        ctx.actor.sessionId === signIn.session_id &&
        ctx.actor.userId === signIn.user_id &&
        ctx.hasInstance &&
        ctx.instanceId === signIn.instance_id;
      const { instance_id: at, connector_id: connectorId } = signIn;
      const problem = !isOwn
        ? SESSION_PROBLEM
        : signIn.is_over
          ? OVER_PROBLEM
          : !ctx.can("WRITE_CONNECTOR")
            ? RIGHTS_PROBLEM
            : await takeGrant(ctx, signIn, answer).then(
                () => null,
                (error: unknown) => problemOf(error, deps),
              );
      await endSignIn(appDb, signIn, problem);
      await publish(at, connectorId);
      if (!isOwn) return `${SIGN_IN_RESULT_PAGE}?problem=session`;
      return signIn.is_own_window
        ? `${SIGN_IN_RESULT_PAGE}?connector=${connectorId}`
        : `/synapses/connections/${connectorId}?tab=settings`;
    },

    async view(ctx: Ctx, connectorId: ConnectorId): Promise<ConnectorSignIn> {
      const { instanceId: at, actor } = ctx;
      const row = await finder.find(at, connectorId);
      const grant = await findGrant(appDb, { at, connectorId });
      const attempt = await findAttempt(appDb, { at, connectorId }, actor.userId);
      const binding = shownBinding(row);
      const isOutdated = grant !== null && (binding === null || !isBoundTo(grant.binding, binding));
      const state = !grant
        ? "none"
        : isOutdated
          ? "outdated"
          : grant.problem && grant.is_refused
            ? "refused"
            : "signedIn";
      return {
        host: binding && new URL(binding.authorizationUrl).host,
        redirectUrl,
        state,
        signedInBy: grant?.signed_in_by ?? null,
        signedInAt: grant?.signed_in_at ?? null,
        expiresAt: grant?.expires_at ?? null,
        isRenewed: grant?.is_renewed ?? false,
        problem: state === "refused" ? (grant?.problem ?? null) : null,
        attempt: attempt && {
          id: attempt.id,
          status: attempt.status === "waiting" && attempt.is_over ? "failed" : attempt.status,
          problem: attempt.status === "waiting" && attempt.is_over ? OVER_PROBLEM : attempt.problem,
          startedAt: attempt.started_at,
          expiresAt: attempt.expires_at,
        },
      };
    },
  };
}

/** Only what is no secret: null while the settings are not complete. */
function shownBinding(row: ConnectorRow): GrantBinding | null {
  const type = typeOf(row);
  if (row.auth_type !== "oauth" || !type.authorization) return null;
  if (type.signInProblems(row.config, "oauth" satisfies AuthType).length > 0) return null;
  return bindingOf(type, row.config, type.authorization(row.config, row.plain));
}

const hashOf = (state: string): string => createHash("sha256").update(state).digest("hex");

const verifierPlace = (at: InstanceId, id: string) => ({
  instanceId: at,
  table: "oauth_sign_in",
  id,
  field: "sealed",
});

const isSame = (one: GrantBinding, other: GrantBinding): boolean => isBoundTo(one, other) && isBoundTo(other, one);

/** RFC 6749, section 4.1.1, and RFC 7636. */
function addressOf(
  { authorizationUrl, clientId, scope, parameters, pkce }: AuthorizationSettings,
  { redirectUrl, state, challenge }: { redirectUrl: string; state: string; challenge: string },
): string {
  const url = new URL(authorizationUrl);
  const own = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUrl,
    ...(scope === "" ? {} : { scope }),
    state,
    ...(pkce ? { code_challenge: challenge, code_challenge_method: "S256" } : {}),
  };
  for (const [name, value] of Object.entries({ ...parameters, ...own })) url.searchParams.set(name, value);
  url.hash = "";
  return url.href;
}

const nameOf = ({ actor }: Ctx): string => [actor.firstName, actor.lastName].join(" ").trim() || actor.email;

const failed = (message: string, hint: string): ConnectorProblem => ({
  kind: "authentication",
  message: `Failed OAuth: ${message}`,
  hint,
});
const AGAIN = "Sign in once more.";
const SESSION_PROBLEM = failed(
  "the answer of the system came to another session than the one that asked for it.",
  AGAIN,
);
const OVER_PROBLEM = failed(`nobody was back within ${SIGN_IN_SECONDS / 60} minutes.`, AGAIN);
const RIGHTS_PROBLEM = failed(
  "you may not edit this synapse any more.",
  "Ask an administrator for the right to edit it.",
);

const changedMeanwhile = (): ConnectorError =>
  new ConnectorError("configuration", "Failed OAuth: the settings were changed while you signed in.", { hint: AGAIN });

/** What a person is shown. Unforeseen failures go to the log. */
function problemOf(error: unknown, { log }: Pick<Deps, "log">): ConnectorProblem {
  const reason = error instanceof TokenRequestError ? error.reason : error;
  if (reason instanceof ConnectorError) {
    const { kind, message, hint } = reason;
    const named = message.startsWith("Failed OAuth") ? message : `Failed OAuth: ${message}`;
    return { kind, message: named, ...(hint !== undefined && { hint }) };
  }
  log.error({ err: error }, "a sign-in at a system failed");
  return failed("it could not be finished.", "Check the settings of the sign-in, and sign in once more.");
}
