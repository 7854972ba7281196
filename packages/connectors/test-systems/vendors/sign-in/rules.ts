/** How people sign in at each simulated system, as its vendor's guide to OAuth says; written apart from the descriptions. */
import { randomUUID } from "node:crypto";
import type { SignInRules } from "./desk.ts";

const STANDARD = { client: "body", format: "form", rotates: false, givesRefreshTokens: true } as const;
const objectScopes = (name: string): string[] => [`crm.objects.${name}.read`, `crm.objects.${name}.write`];

/** https://airtable.com/developers/web/api/oauth-reference */
export const AIRTABLE_SIGN_IN: SignInRules = {
  ...STANDARD,
  authorizePath: "/oauth2/v1/authorize",
  tokenPath: "/oauth2/v1/token",
  client: "basic",
  pkce: "required",
  scopes: ["data.records:read", "data.records:write", "schema.bases:read"],
  expiresIn: 3600,
  rotates: true,
};

const GITHUB_CODES: Readonly<Record<string, [code: string, description: string]>> = {
  invalid_client: ["incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."],
  invalid_grant: ["bad_refresh_token", "The refresh token passed is incorrect or expired."],
};

/** https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app: an app whose tokens expire. */
export const GITHUB_SIGN_IN: SignInRules = {
  ...STANDARD,
  authorizePath: "/login/oauth/authorize",
  tokenPath: "/login/oauth/access_token",
  pkce: "optional",
  scopes: ["repo", "read:org"],
  expiresIn: 28_800,
  rotates: true,
  answer: (given) => ({ ...given, token_type: "bearer", scope: "", refresh_token_expires_in: 15_811_200 }),
  refusal(code, description) {
    const [error, error_description] = GITHUB_CODES[code] ?? [code, description];
    return { status: 200, body: { error, error_description, error_uri: "https://docs.github.com/apps" } };
  },
};

/** https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide */
export const HUBSPOT_SIGN_IN: SignInRules = {
  ...STANDARD,
  authorizePath: "/oauth/authorize",
  tokenPath: "/oauth/v3/token",
  pkce: "unknown",
  scopes: [
    "oauth",
    ...["contacts", "companies", "deals"].flatMap(objectScopes),
    ...["contacts", "companies", "deals"].map((name) => `crm.schemas.${name}.read`),
  ],
  expiresIn: 1800,
  answer: ({ scope, ...given }) => ({ ...given, token_type: "bearer", hub_id: 62515, scopes: scope.split(" ") }),
  // Without the standard's members.
  refusal: (error, message) => ({
    status: 400,
    body: { status: HUBSPOT_CODES[error] ?? error.toUpperCase(), message, correlationId: randomUUID() },
  }),
};
const HUBSPOT_CODES: Readonly<Record<string, string>> = {
  invalid_grant: "BAD_REFRESH_TOKEN",
  invalid_client: "BAD_CLIENT_SECRET",
};

/** https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2: tokens that never expire. */
export const MAILCHIMP_SIGN_IN: SignInRules = {
  ...STANDARD,
  authorizePath: "/oauth2/authorize",
  tokenPath: "/oauth2/token",
  pkce: "unknown",
  scopes: null,
  expiresIn: null,
  givesRefreshTokens: false,
  answer: ({ access_token }) => ({ access_token, expires_in: 0, scope: null }),
};

/** The web server flow, in Salesforce's help; `instance` answers the address of the org. */
export const salesforceSignIn = (instance: () => string, organization: string): SignInRules => ({
  ...STANDARD,
  authorizePath: "/services/oauth2/authorize",
  tokenPath: "/services/oauth2/token",
  pkce: "optional",
  scopes: ["api", "refresh_token", "id"],
  // Sessions end without a word; no answer says when.
  expiresIn: null,
  answer: (given) => ({
    ...given,
    signature: "c2lnbmVk",
    instance_url: instance(),
    id: `${instance()}/id/${organization}/005gK0000000001`,
    issued_at: String(Date.now()),
  }),
  refusal: (error, error_description) => ({
    status: 400,
    body: { error: error === "invalid_client" ? "invalid_client_id" : error, error_description },
  }),
});

/** https://developer.zendesk.com/api-reference/ticketing/oauth/grant_type_tokens: a confidential client whose tokens expire. */
export const ZENDESK_SIGN_IN: SignInRules = {
  ...STANDARD,
  authorizePath: "/oauth/authorizations/new",
  tokenPath: "/oauth/tokens",
  format: "json",
  pkce: "optional",
  scopes: ["read", "write"],
  expiresIn: 172_800,
  rotates: true,
  answer: (given) => ({ ...given, token_type: "bearer", refresh_token_expires_in: 7_776_000 }),
};
