/** Which account of a system somebody signed in with, as far as the system names it in a way that can be relied on. */
import { compileSelector, type AuthorizationSettings } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import type { SystemAccount } from "@accord/contracts/connections/oauth-sign-in";
import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import type { Deps } from "../../../../platform/deps.ts";
import { OutboundError } from "../../../../platform/outbound/outbound.ts";
import { plainText } from "./problems.ts";

/** In milliseconds, bytes and characters. */
const ACCOUNT_CALL_MS = 15_000;
const MAX_ANSWER_BYTES = 1_000_000;
const MAX_TEXT = 300;

/** What a code brought, of which the account is made out. */
export interface AccountEvidence {
  accessToken: string;
  /** Origin of the API that the token is for; null: the configured one. */
  instance: string | null;
  /** Members of the token answer, without tokens. */
  answer: Readonly<Record<string, unknown>>;
  idToken: string | null;
  /** Of the authorisation request: the id token has to repeat it. */
  nonce: string;
}

/** Asked for with the scope `openid`; derived, so that nothing more has to be kept. */
export const nonceOf = (codeVerifier: string): string =>
  createHash("sha256").update(`nonce ${codeVerifier}`).digest("base64url");

/** null: the settings name no way, or the system named no account. What the system answers is no reason to fail. */
export async function accountOf(
  { outbound, log }: Pick<Deps, "outbound" | "log">,
  settings: AuthorizationSettings,
  evidence: AccountEvidence,
): Promise<SystemAccount | null> {
  try {
    return await namedBy(outbound, settings, evidence);
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, "the account of a sign-in is not known");
    return null;
  }
}

/**
 * Words for the log, in which neither a token nor a part of an answer stands: what a parser says quotes what it read, and of
 * an error that nobody expects the name has to do.
 */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return "what was answered is no JSON";
  if (error instanceof AccountError || error instanceof OutboundError) return error.message;
  return error instanceof oauth.OperationProcessingError ? `the id token: ${error.code ?? "unfit"}` : "unknown";
}

/** Why no account is known, without a part of what was answered. */
class AccountError extends Error {
  override name = "AccountError";
}

/**
 * Records of an account that was known must not be taken for another's: that it is not named now counts as another one, and
 * so may an edit of where it is named, be it that nothing names it any more.
 */
export const isOtherAccount = (former: SystemAccount | null, found: SystemAccount | null): former is SystemAccount =>
  former !== null && former.id !== found?.id;

async function namedBy(
  outbound: Deps["outbound"],
  settings: AuthorizationSettings,
  evidence: AccountEvidence,
): Promise<SystemAccount | null> {
  const { account: source } = settings;
  switch (source?.from) {
    case undefined:
      return null;
    case "tokenAnswer": {
      const member = textOf(evidence.answer[source.member]);
      const id = source.part === null ? member : (new RegExp(source.part).exec(member ?? "")?.[1] ?? null);
      const name = source.nameMember === null ? null : textOf(evidence.answer[source.nameMember]);
      return id === null ? null : { id, name };
    }
    case "call": {
      const answer = await asked(outbound, source, evidence);
      const id = textOf(compileSelector(source.idSelector)(answer));
      const name = source.nameSelector === null ? null : textOf(compileSelector(source.nameSelector)(answer));
      return id === null ? null : { id, name };
    }
    case "idToken":
      return evidence.idToken === null ? null : claimed(settings, evidence.idToken, evidence.nonce);
    default:
      return source satisfies never;
  }
}

async function asked(
  outbound: Deps["outbound"],
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
  { accessToken, instance }: AccountEvidence,
): Promise<Value | undefined> {
  const { origin, pathname, search } = new URL(url);
  const reply = await outbound.guardedFetch((instance ?? origin) + pathname + search, {
    headers: { accept: "application/json", ...headers, authorization: `Bearer ${accessToken}` },
    secretHeaders: ["authorization"],
    timeoutMs: ACCOUNT_CALL_MS,
    maxBytes: MAX_ANSWER_BYTES,
    maxRedirects: 0,
  });
  if (reply.status < 200 || reply.status >= 300) throw new AccountError(`it was answered ${reply.status}`);
  return parseExactJson(new TextDecoder().decode(reply.body));
}

/**
 * `sub` of an id token whose issuer, audience, times and nonce are right. It came from the token address itself, whose
 * certificate stands in place of a signature (OpenID Connect Core 1.0, section 3.1.3.7).
 */
async function claimed(
  { authorizationUrl, issuer, tokenUrl, clientId }: AuthorizationSettings,
  idToken: string,
  nonce: string,
): Promise<SystemAccount | null> {
  const [head = {}, body = {}] = idToken.split(".").slice(0, 2).map(partOf);
  const { iss } = body;
  const isAtHome =
    typeof iss === "string" && URL.canParse(iss) && new URL(iss).origin === new URL(authorizationUrl).origin;
  if (issuer === null && !isAtHome) throw new AccountError("the id token has another issuer");
  const server = {
    issuer: issuer ?? String(iss),
    token_endpoint: tokenUrl,
    id_token_signing_alg_values_supported: ALGORITHMS.filter((name) => name === head["alg"]),
  };
  const answer = { access_token: "given", token_type: "bearer", id_token: idToken };
  const options = { expectedNonce: nonce, requireIdToken: true };
  const checked = await oauth.processAuthorizationCodeResponse(
    server,
    { client_id: clientId },
    Response.json(answer),
    options,
  );
  const claims = oauth.getValidatedIdTokenClaims(checked);
  const id = textOf(claims?.sub);
  return id === null ? null : { id, name: textOf(claims?.["email"]) ?? textOf(claims?.["name"]) };
}

/** Signatures by a key of the system's own. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

function partOf(part: string): Record<string, unknown> {
  const json: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
  return typeof json === "object" && json !== null ? { ...json } : {};
}

/** Ids are texts or numbers; longer ones are none. */
function textOf(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = plainText(String(value));
  return text === "" || text.length >= MAX_TEXT ? null : text;
}
