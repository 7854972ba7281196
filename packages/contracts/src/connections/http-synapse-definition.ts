/** What an HTTP synapse is: how its API is called, what each connection is asked for, and its entities. */
import { z } from "zod";
import { HttpEntityConfig, HttpHeader } from "./http-entity.ts";
import { id } from "../ids.ts";

/** Kinds of custom synapses, as they stand in addresses. */
export const SYNAPSE_TYPES = ["webhook", "http", "sdk"] as const;
export type SynapseType = (typeof SYNAPSE_TYPES)[number];

export const SYNAPSE_AUTH_TYPES = [
  "none",
  "apiKey",
  "bearerToken",
  "userPassword",
  "oauthClientCredentials",
  "oauth",
] as const;

/** A value that each connection is asked for. Templates name it as `{{variable.name}}`. */
export const SynapseVariable = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be letters, digits and underscores, beginning with a letter")
    .max(60),
  displayName: z.string().trim().max(120).default(""),
  helpText: z.string().max(500).default(""),
  required: z.boolean().default(false),
  multivalued: z.boolean().default(false),
});
export type SynapseVariable = z.output<typeof SynapseVariable>;

const address = z.string().trim().max(2000).default("");

/** How the authentication works; what is secret is entered for each connection and is no part of the definition. */
export const SynapseAuthConfig = z.strictObject({
  apiKeyPlace: z.enum(["header", "query"]).default("header"),
  apiKeyName: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_.-]{1,100}$/, "is not a header or parameter name")
    .default("X-Api-Key"),
  tokenUrl: address,
  scope: z.string().max(1000).default(""),
  authorizationUrl: address,
  authorizationParameters: z.string().max(4000).default(""),
  clientAuthentication: z.enum(["basic", "body"]).default("basic"),
  issuer: z.string().trim().max(500).default(""),
});
export type SynapseAuthConfig = z.output<typeof SynapseAuthConfig>;

const settings = {
  displayName: z.string().trim().min(1, "give it a name").max(120),
  description: z.string().trim().max(500).default(""),
  /** Base address: paths of entities are added to it. May hold `{{variable.name}}`. */
  endpoint: z.string().trim().min(1, "enter the address of the API, e.g. https://api.example.com/v1").max(2000),
  /** The call that proves that a connection works. */
  method: z.enum(["GET", "POST"]).default("GET"),
  testPath: z.string().trim().max(2000).default(""),
  body: z.string().max(20_000).default(""),
  /** Sent with each call. */
  headers: z.array(HttpHeader).max(50).default([]),
  authType: z.enum(SYNAPSE_AUTH_TYPES).default("none"),
  authConfig: SynapseAuthConfig.prefault({}),
  variables: z.array(SynapseVariable).max(50).default([]),
  /** Path into the answer of a refused call that says why. */
  errorSelector: z.string().trim().max(500).default(""),
  timeoutSeconds: z.int().min(1, "must be 1 at least").max(300, "may be 300 at most").default(30),
};

export const SynapseName = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,79}$/, "must start with a letter and hold only letters, digits, _ and -");

const uniqueVariables = (variables: readonly SynapseVariable[], context: z.RefinementCtx): void => {
  const names = variables.map(({ name }) => name);
  for (const [at, name] of names.entries())
    if (names.indexOf(name) !== at)
      context.addIssue({ code: "custom", path: ["variables", at, "name"], message: "is used twice" });
};

export const HttpSynapseSettings = z
  .strictObject(settings)
  .superRefine(({ variables }, context) => uniqueVariables(variables, context));
export type HttpSynapseSettings = z.output<typeof HttpSynapseSettings>;
export type HttpSynapseSettingsInput = z.input<typeof HttpSynapseSettings>;

/** The settings of what has more than them, as a version that was answered. */
export function settingsOfVersion(version: HttpSynapseSettings): HttpSynapseSettings {
  const { displayName, description, endpoint, method, testPath, body, headers, authType, authConfig } = version;
  const { variables, errorSelector, timeoutSeconds } = version;
  const called = { displayName, description, endpoint, method, testPath, body, headers };
  return { ...called, authType, authConfig, variables, errorSelector, timeoutSeconds };
}

export const SYNAPSE_ENTITY_LIMIT = 200;

export const SynapseEntity = z.strictObject({
  entityId: id("synapseEntity"),
  revision: z.int(),
  config: HttpEntityConfig,
});
export type SynapseEntity = z.output<typeof SynapseEntity>;

/** A version as it is stored. */
export const HttpSynapseDefinition = z.strictObject({
  settings: HttpSynapseSettings,
  entities: z.array(SynapseEntity).max(SYNAPSE_ENTITY_LIMIT),
});
export type HttpSynapseDefinition = z.output<typeof HttpSynapseDefinition>;

/** Values of variables: a text, or texts where a variable is multivalued. */
export const VariableValues = z
  .record(z.string().max(60), z.union([z.string().max(4000), z.array(z.string().max(4000)).max(100)]))
  .refine((values) => Object.keys(values).length <= 50, "has more than 50 values");
export type VariableValues = z.output<typeof VariableValues>;
