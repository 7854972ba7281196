/** Adds what a sign-in method sends with each call: a key, a password, or a token that is asked for and renewed. */
import {
  classifyStatus,
  compileSelector,
  ConnectorError,
  jsonOf,
  sendRequest,
  signInFirst,
  type ConnectContext,
} from "@accord/connector-sdk";
import type { HttpConfig } from "../config.ts";

/**
 * Signs one call. `refused`: a token that the API answered 401 to. Answers the token it used where that can be renewed, as
 * it may have been withdrawn early; null for what a person enters.
 */
export type Signer = (url: URL, headers: Record<string, string>, refused: string | null) => Promise<string | null>;

export function signerOf(context: ConnectContext, config: HttpConfig): Signer {
  const { credentials } = context;
  switch (context.authType) {
    case "apiKey":
      return async (url, headers) => {
        if (config.apiKeyPlace === "query") url.searchParams.set(config.apiKeyName, credentials["apiKey"] ?? "");
        else headers[config.apiKeyName.toLowerCase()] = credentials["apiKey"] ?? "";
        return null;
      };
    case "bearerToken":
      return entered("authorization", `Bearer ${credentials["token"] ?? ""}`);
    case "userPassword": {
      const pair = `${credentials["username"] ?? ""}:${credentials["password"] ?? ""}`;
      const basic = btoa(String.fromCodePoint(...new TextEncoder().encode(pair)));
      return entered("authorization", `Basic ${basic}`);
    }
    case "oauthClientCredentials":
      return clientCredentialsSigner(context, config);
    case "oauth":
      return authorizedSigner(context, config);
    case "none":
      return async () => null;
    default:
      throw new ConnectorError("configuration", `JSON APIs can't be signed in to with ${context.authType}.`);
  }
}

/** Tokens are asked for again this long before they end. */
const EARLY_MS = 30_000;

function clientCredentialsSigner(context: ConnectContext, config: HttpConfig): Signer {
  let token: { value: Promise<string>; until: number } | null = null;
  const fetchToken = async (): Promise<string> => {
    const url = new URL(config.tokenUrl || "token", config.baseUrl);
    const answer = await sendRequest(context, {
      method: "POST",
      url,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: context.credentials["clientId"] ?? "",
        client_secret: context.credentials["clientSecret"] ?? "",
        ...(config.scope ? { scope: config.scope } : {}),
      }).toString(),
      signal: context.signal,
    });
    if (!answer.ok)
      throw answer.status === 400 || answer.status === 401
        ? new ConnectorError("authentication", `${answer.place} refused client id and secret.`, {
            neverSent: true,
            hint: "Enter client id and secret again; check the scope and the token address.",
          })
        : classifyStatus(answer.status, answer.headers, answer.place, null);
    const json = jsonOf(answer);
    const value = compileSelector("access_token")(json);
    if (typeof value !== "string")
      throw new ConnectorError("configuration", `${answer.place} answered no access_token.`, {
        hint: "Check the token address.",
      });
    const seconds = Number(compileSelector("expires_in")(json) ?? 300);
    if (token) token.until = context.now().getTime() + (Number.isFinite(seconds) ? seconds : 300) * 1000 - EARLY_MS;
    return value;
  };
  return async (_, headers, refused) => {
    const isOver = !token || context.now().getTime() >= token.until;
    if (!token || isOver || (refused !== null && refused === (await token.value))) {
      token = { value: Promise.resolve(""), until: Number.POSITIVE_INFINITY };
      token.value = fetchToken();
      token.value.catch(() => (token = null));
    }
    return setToken(config, headers, await token.value);
  };
}

/** The token of whoever signed in at the system. */
function authorizedSigner({ accessToken }: ConnectContext, config: HttpConfig): Signer {
  return async (_, headers, refused) => {
    if (!accessToken) throw signInFirst(new URL(config.authorizationUrl || config.baseUrl).host);
    return setToken(config, headers, await accessToken(refused === null ? {} : { refused }));
  };
}

function setToken({ tokenHeader }: HttpConfig, headers: Record<string, string>, token: string): string {
  if (tokenHeader === "") headers["authorization"] = `Bearer ${token}`;
  else headers[tokenHeader.toLowerCase()] = token;
  return token;
}

const entered =
  (header: string, value: string): Signer =>
  async (_, headers) => {
    headers[header] = value;
    return null;
  };
