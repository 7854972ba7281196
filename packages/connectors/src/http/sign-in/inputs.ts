/** What a person is asked for to connect a JSON API: its addresses, and the ways to sign in. */
import type { AuthMethod } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";

export const HTTP_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "baseUrl",
    label: "Base address",
    datatype: "url",
    required: true,
    helpText: "Every path is added to it, e.g. https://api.example.com/v2",
  },
  {
    name: "checkPath",
    label: "Path to test the connection",
    datatype: "string",
    helpText: "Something small that needs the credentials, e.g. /me. Empty: the first entity's list.",
  },
  {
    name: "errorSelector",
    label: "Where errors say why",
    datatype: "string",
    fieldSet: "Advanced",
    helpText: "Path into the answer of a refused call, e.g. error.message",
  },
  {
    name: "timeoutSeconds",
    label: "Longest call (seconds)",
    datatype: "integer",
    defaultValue: 30,
    fieldSet: "Advanced",
  },
  {
    name: "rateLimitWaitSeconds",
    label: "Wait after too many calls (seconds)",
    datatype: "integer",
    fieldSet: "Advanced",
    defaultValue: 0,
    helpText: "Only for systems whose answer does not say how long to wait. 0: Accord waits longer each time.",
  },
  {
    name: "parallelWrites",
    label: "Writes at the same time",
    datatype: "integer",
    defaultValue: 4,
    fieldSet: "Advanced",
  },
];

const KEY_SETTINGS: InputDefinition[] = [
  {
    name: "apiKeyPlace",
    label: "API key goes into",
    datatype: "picklist",
    defaultValue: "header",
    values: [
      { id: "header", label: "A header" },
      { id: "query", label: "The address (query parameter)" },
    ],
  },
  {
    name: "apiKeyName",
    label: "Name of the header or parameter",
    datatype: "string",
    defaultValue: "X-Api-Key",
  },
];

const TOKEN_ADDRESS: InputDefinition = { name: "tokenUrl", label: "Token address", datatype: "url" };
const SCOPE: InputDefinition = {
  name: "scope",
  label: "Scopes",
  datatype: "string",
  helpText: "What Accord may do there, as the system calls it; separated by blanks.",
};

const SIGN_IN_SETTINGS: InputDefinition[] = [
  {
    name: "authorizationUrl",
    label: "Authorisation address",
    datatype: "url",
    required: true,
    helpText: "The system's page where a person signs in and consents, e.g. https://example.com/oauth/authorize",
  },
  {
    ...TOKEN_ADDRESS,
    required: true,
    helpText: "Where the system gives out tokens, e.g. https://example.com/oauth/token",
  },
  SCOPE,
  {
    name: "clientAuthentication",
    label: "Client id and secret are sent",
    datatype: "picklist",
    defaultValue: "basic",
    values: [
      { id: "basic", label: "In a header (HTTP basic authentication)" },
      { id: "body", label: "In the body of the request" },
    ],
  },
  {
    name: "authorizationParameters",
    label: "Further parameters of the authorisation address",
    datatype: "textarea",
    fieldSet: "Advanced",
    helpText: "One on each line, name=value, e.g. access_type=offline",
  },
  {
    name: "issuer",
    label: "Issuer",
    datatype: "string",
    fieldSet: "Advanced",
    helpText:
      "Only for systems that name themselves in their answer (iss): it must be this one. Empty: it must have the origin of the authorisation address.",
  },
  {
    name: "accountPath",
    label: "Path that says which account signed in",
    datatype: "string",
    fieldSet: "Advanced",
    helpText:
      "Called after each sign-in, e.g. /me: a sign-in with another account is refused unless somebody chooses it. Empty: by the id token where the scopes have openid, otherwise another account is not noticed.",
  },
  {
    name: "accountSelector",
    label: "Where its answer has the account's id",
    datatype: "string",
    fieldSet: "Advanced",
    helpText: "Path into the answer, e.g. account.id",
  },
];

export const HTTP_AUTH_METHODS: AuthMethod[] = [
  {
    type: "apiKey",
    label: "API key",
    settings: KEY_SETTINGS,
    fields: [{ name: "apiKey", label: "API key", datatype: "password", secret: true, required: true }],
  },
  {
    type: "bearerToken",
    label: "Bearer token",
    fields: [{ name: "token", label: "Token", datatype: "password", secret: true, required: true }],
  },
  {
    type: "userPassword",
    label: "User name and password",
    fields: [
      { name: "username", label: "User name", datatype: "string", required: true },
      { name: "password", label: "Password", datatype: "password", secret: true },
    ],
  },
  {
    type: "oauth",
    label: "OAuth 2 (sign in at the system)",
    settings: SIGN_IN_SETTINGS,
    fields: [
      { name: "clientId", label: "Client id", datatype: "string", required: true },
      {
        name: "clientSecret",
        label: "Client secret",
        datatype: "password",
        secret: true,
        helpText: "Empty where the system gave none (a public client).",
      },
    ],
  },
  {
    type: "oauthClientCredentials",
    label: "OAuth 2 client credentials",
    settings: [TOKEN_ADDRESS, SCOPE],
    fields: [
      { name: "clientId", label: "Client id", datatype: "string", required: true },
      { name: "clientSecret", label: "Client secret", datatype: "password", secret: true, required: true },
    ],
  },
  { type: "none", label: "None", fields: [] },
];
