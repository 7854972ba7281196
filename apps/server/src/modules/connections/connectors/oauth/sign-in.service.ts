/** Use cases of signing in at a system: begin, take the answer, and what there is now. */
import type { AuthType } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import {
  SIGN_IN_RESULT_PAGE,
  SIGN_IN_SECONDS,
  type ConnectorSignIn,
  type SystemAccount,
} from "@accord/contracts/connections/oauth-sign-in";
import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import type { Ctx } from "../../../../platform/ctx.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { AuditLog } from "../../../operations/audit/index.ts";
import type { ConnectorFinder } from "../connector-finder.ts";
import { typeOf } from "../connector-view.ts";
import { changeState, findStored, type ConnectorRow } from "../connectors.store.ts";
import { openCredential } from "../credentials/credentials.ts";
import { refuse, refuseForbiddenHosts } from "../refusals.ts";
import { addressOf } from "./authorization-address.ts";
import { accountOf, isOtherAccount, nonceOf } from "./accounts.ts";
import { bindingOf, isBoundTo, sealTokens } from "./grants.ts";
import { findGrant, saveGrant, type GrantBinding } from "./grants.store.ts";
import { redirectNameOf } from "./redirect-names.ts";
import { redirectUrlOf } from "./redirect-url.ts";
import {
  ADDRESS_PROBLEM,
  changedMeanwhile,
  CHOICE_OVER,
  OtherAccountError,
  OVER_PROBLEM,
  problemOf,
  RIGHTS_PROBLEM,
  SESSION_PROBLEM,
} from "./sign-in-problems.ts";
import {
  endSignIn,
  findAttempt,
  insertSignIn,
  takeSignIn,
  type ChosenAccount,
  type OtherAccount,
  type SignInRow,
} from "./sign-ins.store.ts";
import { exchangeCode } from "./token-requests.ts";

type InstanceId = Id<"instance">;
type ConnectorId = Id<"connector">;

export interface SignInNeeds {
  deps: Deps;
  audit: AuditLog;
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

export function signInService({ deps, audit, finder, reconnected, publish }: SignInNeeds) {
  const { appDb, secrets } = deps;

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
    const { issuer, redirectName = null, chosen } = signIn.binding;
    const isBegunSo = isSame(binding, signIn.binding) && settings.issuer === issuer;
    if (!isBegunSo) throw changedMeanwhile();
    const codeVerifier = await secrets.open(verifierPlace(at, signIn.id), signIn.sealed);
    const given = new URLSearchParams(Object.entries(answer).filter(([, value]) => value !== undefined));
    const tokens = await exchangeCode(deps.outbound, {
      settings,
      answer: given,
      state: answer.state ?? "",
      codeVerifier,
      redirectUrl: redirectUrlOf(deps.config, redirectName),
    });
    const account = await accountOf(deps, settings, { ...tokens, nonce: nonceOf(codeVerifier) });
    const former = (await findGrant(appDb, place))?.account ?? null;
    const isOther = isOtherAccount(former, account);
    if (isOther && !isChosen(chosen, former, account)) throw new OtherAccountError(former, account);
    const sealed = await sealTokens(deps, place, binding, tokens);
    const grant = { ...sealed, binding, userId: signIn.user_id, by: nameOf(ctx), account, former };
    const target = { kind: "connector", id: connectorId, name: row.name };
    const isSaved = await appDb.transaction().execute(async (tx) => {
      if (!(await saveGrant(tx, place, grant))) return false;
      if (isOther) await audit.record(ctx, "useOtherAccount", target, { former, account }, tx);
      return true;
    });
    if (!isSaved) throw changedMeanwhile();
    await showSignedIn(at, row);
    await reconnected(at, connectorId);
  };

  const showSignedIn = async (at: InstanceId, { id, status, activated_at }: ConnectorRow): Promise<void> => {
    const isBack = status === "ERROR" && activated_at !== null;
    if (!isBack && status !== "NEW" && status !== "ERROR") return;
    const change = { status: isBack ? "ACTIVE" : "AUTHENTICATED", problem: null } as const;
    await changeState(appDb, at, id, { status: [status] }, change);
  };

  /** Chosen is what the person was shown, and no other account. */
  const chosenAccount = async (
    place: { at: InstanceId; connectorId: ConnectorId },
    userId: string,
    attemptId: string | null,
  ): Promise<ChosenAccount | null> => {
    if (attemptId === null) return null;
    const attempt = await findAttempt(appDb, place, userId);
    if (attempt?.id !== attemptId) throw new AppError("not_found", { what: "Sign-in" });
    if (!attempt.other_account)
      throw new AppError("invalid_state", {
        reason: "This sign-in was not refused for its account. Sign in once more.",
      });
    if (attempt.is_over) throw new AppError("invalid_state", { reason: CHOICE_OVER });
    const { former, found } = attempt.other_account;
    return { id: found?.id ?? null, former: former.id };
  };

  return {
    async begin(
      ctx: Ctx,
      connectorId: ConnectorId,
      { isOwnWindow, useAccountOf }: { isOwnWindow: boolean; useAccountOf: string | null },
    ) {
      const { instanceId: at, actor } = ctx;
      // Settings that were just saved have the schema read again: that keeps nobody from signing in.
      await finder.demandAction(at, connectorId, "test");
      const chosen = await chosenAccount({ at, connectorId }, actor.userId, useAccountOf);
      const { row, type, settings, binding } = await settingsOf(at, connectorId);
      await refuseForbiddenHosts(deps.outbound, type.hosts(row.config, row.auth_type));
      const redirectName = await redirectNameOf(appDb, at, row);
      const [id, state] = [deps.newId<"signIn">(), oauth.generateRandomState()];
      const codeVerifier = oauth.generateRandomCodeVerifier();
      const signIn = {
        id,
        userId: actor.userId,
        sessionId: actor.sessionId,
        stateHash: hashOf(state),
        sealed: await secrets.seal(verifierPlace(at, id), codeVerifier),
        binding: { ...binding, issuer: settings.issuer, redirectName, ...(chosen && { chosen }) },
        isOwnWindow,
        seconds: SIGN_IN_SECONDS,
      };
      await appDb.transaction().execute((tx) => insertSignIn(tx, { at, connectorId }, signIn));
      const challenge = await oauth.calculatePKCECodeChallenge(codeVerifier);
      const redirectUrl = redirectUrlOf(deps.config, redirectName);
      const nonce = nonceOf(codeVerifier);
      return { attemptId: id, authorizationUrl: addressOf(settings, { redirectUrl, state, challenge, nonce }) };
    },

    /** Takes what a system sent a person back with. Answers the page of our own that shows what came of it. */
    async finish(ctx: Ctx, answer: SystemAnswer, redirectName: string | null): Promise<string> {
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
      let other: OtherAccount | null = null;
      const failedWith = (error: unknown): ConnectorProblem => {
        if (error instanceof OtherAccountError) other = error.accounts;
        return problemOf(error, deps);
      };
      const problem = !isOwn
        ? SESSION_PROBLEM
        : (signIn.binding.redirectName ?? null) !== redirectName
          ? ADDRESS_PROBLEM
          : signIn.is_over
            ? OVER_PROBLEM
            : !ctx.can("WRITE_CONNECTOR")
              ? RIGHTS_PROBLEM
              : await takeGrant(ctx, signIn, answer).then(() => null, failedWith);
      await endSignIn(appDb, signIn, problem, other);
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
        redirectUrl: redirectUrlOf(deps.config, row.redirect_name),
        account: grant?.account ?? null,
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
          otherAccount: attempt.other_account,
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

/** In place of the same account as then: another sign-in may have brought a third one meanwhile. */
const isChosen = (chosen: ChosenAccount | undefined, former: SystemAccount, account: SystemAccount | null): boolean =>
  chosen !== undefined && chosen.former === former.id && chosen.id === (account?.id ?? null);

const nameOf = ({ actor }: Ctx): string => [actor.firstName, actor.lastName].join(" ").trim() || actor.email;
