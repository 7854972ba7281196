/** Adds what a sign-in method sends with each call: a key, a password, or a token that is asked for and renewed. */
import {
  classifyStatus,
  compileSelector,
  ConnectorError,
  jsonOf,
  sendRequest,
  signInFirst,
  TokenKeeper,
  type ConnectContext,
  type Token,
} from "@accord/connector-sdk";
import { tokenAddressOf, type HttpConfig } from "../config.ts";

/**
 * Signs one call. `refused`: a token that the API answered 401 to. Answers the token it used where that can be renewed, as
 * it may have been withdrawn early: the refused one where another would be asked for too soon. null for what a person enters.
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

/** Where an answer does not say how long a token holds, in seconds. */
const DEFAULT_LIFE_S = 300;

function clientCredentialsSigner(context: ConnectContext, config: HttpConfig): Signer {
  const fetchToken = async (): Promise<Token> => {
    const url = tokenAddressOf(config);
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
    const seconds = Number(compileSelector("expires_in")(json) ?? DEFAULT_LIFE_S);
    const lifeMs = (Number.isFinite(seconds) ? seconds : DEFAULT_LIFE_S) * 1000;
    return { value, until: context.now().getTime() + lifeMs };
  };
  const keeper = new TokenKeeper(fetchToken, () => context.now());
  return async (_, headers, refused) => setToken(config, headers, await keeper.get(refused));
}

/** The token of whoever signed in at the system, and the call moved to the instance that the system gave it for. */
function authorizedSigner({ accessToken }: ConnectContext, config: HttpConfig): Signer {
  return async (url, headers, refused) => {
    if (!accessToken) throw signInFirst(new URL(config.authorizationUrl || config.baseUrl).host);
    const { value, instance } = await accessToken(refused === null ? {} : { refused });
    if (instance !== null) moveTo(url, new URL(instance));
    return setToken(config, headers, value);
  };
}

function moveTo(url: URL, { protocol, hostname, port }: URL): void {
  url.protocol = protocol;
  url.hostname = hostname;
  url.port = port;
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
