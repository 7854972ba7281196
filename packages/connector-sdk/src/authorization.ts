/** OAuth 2 sign-in by a person at the system (RFC 6749, section 4.1): what a connector says about it, and what it is given. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import { ConnectorError } from "./errors.ts";

/** How a client proves itself at the token address: by HTTP basic authentication, or in the body of the request. */
export const CLIENT_AUTHENTICATIONS = ["basic", "body"] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

/** What a request for tokens is written as; RFC 6749 knows the form alone. */
export type TokenRequestFormat = "form" | "json";

/**
 * How the system names the account that a person signed in with: a member of the token answer, a call of the API with the new
 * token, or the `sub` of an id token (OpenID Connect Core 1.0). Selectors as in `selector.ts`.
 */
export type AccountSource =
  | {
      from: "tokenAnswer";
      member: string;
      /** A regular expression whose first group is the account within the member; null: the member itself. */
      part: string | null;
      /** A member to show beside the id; null: none. */
      nameMember: string | null;
    }
  | {
      from: "call";
      /** At the origin of the API, to which the token may be sent. */
      url: string;
      headers: Readonly<Record<string, string>>;
      idSelector: string;
      nameSelector: string | null;
    }
  | { from: "idToken" };

/** Where a person signs in and where tokens are given out, for one connection. */
export interface AuthorizationSettings {
  /** Opened in the person's browser; never called by the server. */
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  /** null: a public client, which proves itself by PKCE alone. */
  clientSecret: string | null;
  clientAuthentication: ClientAuthentication;
  /** Separated by blanks; empty: the system's own choice. */
  scope: string;
  /** Further parameters of the authorisation address. */
  parameters: Readonly<Record<string, string>>;
  /** What the answer must name as `iss` (RFC 9207); null: an `iss` must have the origin of the authorisation address. */
  issuer: string | null;
  /** The system takes a proof key (RFC 7636). */
  pkce: boolean;
  tokenRequestFormat: TokenRequestFormat;
  /**
   * The member of a token answer with the address of the API that the token is for: calls go to its origin in place of the
   * configured one. null: to the configured one.
   */
  instanceMember: string | null;
  /** Codes by which the system names errors in place of those of RFC 6749, and what each means there. */
  errorCodes: Readonly<Record<string, string>>;
  /** null: nothing names the account, so that another one is not noticed. */
  account: AccountSource | null;
}

/** A token, and the origin of the API that it is for; null: the configured one. */
export interface AccessToken {
  value: string;
  instance: string | null;
}

export interface AccessTokenRequest {
  /** A token that the API answered 401 to: another one is given, or the same where that was renewed just now. */
  refused?: string;
}

/**
 * The access token of whoever signed in, renewed where its time is over. One renewal at a time, across all processes.
 * @throws ConnectorError("authentication") when somebody has to sign in (again); others when the token address fails.
 */
export type GetAccessToken = (request?: AccessTokenRequest) => Promise<AccessToken>;

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Codes, tokens and secrets travel encrypted, or not over a network at all. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.has(hostname);

/** Parameters of the authorisation address that the sign-in itself sets. */
export const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  "client_id",
  "client_secret",
  "code_challenge",
  "code_challenge_method",
  "redirect_uri",
  "request",
  "request_uri",
  "response_mode",
  "response_type",
  "scope",
  "state",
]);

/** For connections that nobody can have signed in for yet, as they are not saved. */
export const signInFirst = (place: string): ConnectorError =>
  new ConnectorError("authentication", fill(connectionErrors.notSignedIn, { place }), {
    neverSent: true,
    hint: connectionErrors.notSignedInHint,
  });
