/** What a JSON API connection needs: base address, how to sign in, and its entities. */
import { CLIENT_AUTHENTICATIONS } from "@accord/connector-sdk";
import type { FieldProblem } from "@accord/contracts";
import { descriptionProblems, storedProblems } from "@accord/contracts/connections/http-description";
import { HttpEntityConfig, HttpHeader } from "@accord/contracts/connections/http-entity";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { parameterProblems } from "./sign-in/authorization.ts";

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
    /** Where a person signs in; with the token address, client id and scope above. */
    authorizationUrl: Address.or(z.literal("")).nullish(),
    /** A line for each further parameter: `access_type=offline`. */
    authorizationParameters: z
      .string()
      .max(4000)
      .default("")
      .superRefine((text, context) => {
        for (const message of parameterProblems(text)) context.addIssue({ code: "custom", message });
      }),
    clientAuthentication: z.enum(CLIENT_AUTHENTICATIONS).default("basic"),
    issuer: z.string().trim().max(500).nullish(),
    /** Called after a sign-in, to know the account by the id that the selector finds. */
    accountPath: z.string().trim().max(2000).nullish(),
    accountSelector: z.string().trim().max(500).nullish(),
    /** A header that carries the token by itself, where the API reads none from `Authorization`. */
    tokenHeader: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9-]{0,100}$/, "is not a header name")
      .default(""),
    headers: z.array(HttpHeader).max(50).default([]),
    /** Called to test the connection; the first entity's list when empty. */
    checkPath: z.string().trim().max(2000).nullish(),
    checkMethod: z.enum(["GET", "POST"]).default("GET"),
    checkBody: z.string().max(20_000).default(""),
    /** Filled in as `{{variable.name}}`, wherever paths, headers and bodies have placeholders. */
    variables: z.record(z.string().max(60), z.union([z.string(), z.array(z.string())])).default({}),
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

type Addresses = Pick<HttpConfig, "baseUrl" | "tokenUrl" | "authorizationUrl">;
const urlsOf = (addresses: readonly (string | null | undefined)[]): URL[] =>
  addresses.flatMap((address) => (address ? [new URL(address)] : []));
const addressesOf = ({ baseUrl, tokenUrl }: Addresses): URL[] => urlsOf([baseUrl, tokenUrl]);

/** `name:port` of what is called, and of the page where a person signs in. */
export const hostsOf = ({ baseUrl, tokenUrl, authorizationUrl }: Addresses): string[] =>
  urlsOf([baseUrl, tokenUrl, authorizationUrl]).map(
    ({ protocol, hostname, port }) => `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`,
  );

/** Origins that the credentials are entered for. */
export const destinationsOf = (config: Addresses): string[] => addressesOf(config).map(({ origin }) => origin);

/** Where client credentials and refresh tokens are exchanged. */
export const tokenAddressOf = ({ baseUrl, tokenUrl }: Pick<Addresses, "baseUrl" | "tokenUrl">): URL =>
  new URL(tokenUrl || "token", baseUrl);

const BY_CLIENT: ReadonlySet<string> = new Set(["oauth", "oauthClientCredentials"]);

/**
 * The same by role: the origin of the API, and the whole address where tokens are given out, which has a path and so is
 * never taken for the other.
 */
export const destinationsBy = (config: Addresses, authType: string): string[] => [
  new URL(config.baseUrl).origin,
  ...(BY_CLIENT.has(authType) ? [tokenAddressOf(config).href] : []),
];
