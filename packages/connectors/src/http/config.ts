/** What a JSON API connection needs: base address, how to sign in, and its entities. */
import type { AuthMethod } from "@accord/connector-sdk";
import type { FieldProblem } from "@accord/contracts";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { descriptionProblems, storedProblems } from "@accord/contracts/connections/http-description";
import { HttpEntityConfig, HttpHeader } from "@accord/contracts/connections/http-entity";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

export const Address = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must be an http or https address")
  .refine((text) => !URL.canParse(text) || new URL(text).username === "", "must not hold a user name or password");

export const HttpConfig = z
  .object({
    baseUrl: Address,
    apiKeyPlace: z.enum(["header", "query"]).default("header"),
    apiKeyName: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9_.-]{1,100}$/, "is not a header or parameter name")
      .default("X-Api-Key"),
    tokenUrl: Address.or(z.literal("")).nullish(),
    scope: z.string().max(1000).nullish(),
    /** A header that carries the token by itself, where the API reads none from `Authorization`. */
    tokenHeader: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9-]{0,100}$/, "is not a header name")
      .default(""),
    headers: z.array(HttpHeader).max(50).default([]),
    /** Called to test the connection; the first entity's list when empty. */
    checkPath: z.string().trim().max(2000).nullish(),
    /** Where a refused call says why. */
    errorSelector: z.string().trim().max(500).default(""),
    /** Where a refused call names its error, and the status that a name means where the call's own says something else. */
    errorCodeSelector: z.string().trim().max(500).default(""),
    errorStatuses: z.record(z.string().max(200), z.int().min(400).max(599)).default({}),
    timeoutSeconds: z.coerce.number().int().min(1).max(300).default(30),
    /** Waited after too many calls where the answer does not say how long. 0: ever longer. */
    rateLimitWaitSeconds: z.coerce.number().int().min(0).max(3600).default(0),
    parallelWrites: z.coerce.number().int().min(1).max(16).default(4),
    entities: z.array(HttpEntityConfig).max(200).default([]),
  })
  .superRefine((config, context) => {
    const names = config.entities.map((entity) => entity.apiName);
    for (const [at, name] of names.entries())
      if (names.indexOf(name) !== at)
        context.addIssue({ code: "custom", path: ["entities", at, "apiName"], message: "is used twice" });
    for (const [index, entity] of config.entities.entries()) {
      for (const problem of storedProblems(entity))
        context.addIssue({ code: "custom", path: ["entities", index, ...problem.path], message: problem.message });
    }
  });
export type HttpConfig = z.output<typeof HttpConfig>;

/** What is wrong with descriptions that are new or were changed. */
export const changedDescriptionProblems = (config: HttpConfig, former: HttpConfig | null): FieldProblem[] =>
  config.entities.flatMap((entity, at) => {
    const before = former?.entities.find(({ apiName }) => apiName === entity.apiName);
    if (before && isDeepStrictEqual(before, entity)) return [];
    return descriptionProblems(entity).map(({ path, message }) => ({
      path: ["entities", String(at), ...path].join("."),
      message,
    }));
  });

type Addresses = Pick<HttpConfig, "baseUrl" | "tokenUrl">;
const addressesOf = ({ baseUrl, tokenUrl }: Addresses): URL[] =>
  [baseUrl, tokenUrl].flatMap((address) => (address ? [new URL(address)] : []));

/** `name:port` of what is called. */
export const hostsOf = (config: Addresses): string[] =>
  addressesOf(config).map(
    ({ protocol, hostname, port }) => `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`,
  );

/** Origins that the credentials are entered for. */
export const destinationsOf = (config: Addresses): string[] => addressesOf(config).map(({ origin }) => origin);

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
    name: "apiKeyPlace",
    label: "API key goes into",
    datatype: "picklist",
    defaultValue: "header",
    values: [
      { id: "header", label: "A header" },
      { id: "query", label: "The address (query parameter)" },
    ],
    fieldSet: "Signing in",
  },
  {
    name: "apiKeyName",
    label: "Name of the header or parameter",
    datatype: "string",
    defaultValue: "X-Api-Key",
    fieldSet: "Signing in",
  },
  {
    name: "tokenUrl",
    label: "Token address",
    datatype: "url",
    fieldSet: "Signing in",
    helpText: "Only for OAuth client credentials.",
  },
  { name: "scope", label: "Scope", datatype: "string", fieldSet: "Signing in" },
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

export const HTTP_AUTH_METHODS: AuthMethod[] = [
  {
    type: "apiKey",
    label: "API key",
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
    type: "oauthClientCredentials",
    label: "OAuth 2 client credentials",
    fields: [
      { name: "clientId", label: "Client id", datatype: "string", required: true },
      { name: "clientSecret", label: "Client secret", datatype: "password", secret: true, required: true },
    ],
  },
  { type: "none", label: "None", fields: [] },
];
