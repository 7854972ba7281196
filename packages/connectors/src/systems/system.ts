/** Well-known systems with a JSON API, described by code: what a person is asked for, and which entities there are. */
import { ConnectorError, defineConnector, type ConnectorDefinition } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { HttpEntityConfig, type HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import type { HttpClient } from "../http/client.ts";
import { Address, destinationsBy, destinationsOf, HttpConfig, hostsOf } from "../http/config.ts";
import { API_CAPABILITIES, capabilitiesOf, connectApi } from "../http/connect.ts";
import {
  authorizationAt,
  byConsent,
  CONSENT_INPUTS,
  consentAddresses,
  consentProblems,
  type Consent,
} from "./consent.ts";
import type { FieldInput } from "./fields.ts";
import type { SignIn } from "./sign-in.ts";

/** Reads that look up which entities and fields there are. */
export interface SystemCalls {
  /** The answer's JSON. @throws ConnectorError unless the status is a success. */
  get(path: string): Promise<Value>;
  /** A search, whose question is sent as JSON. @throws ConnectorError unless the status is a success. */
  post(path: string, body: Value): Promise<Value>;
}

/** An entity as it was found. */
export interface FoundEntity {
  apiName: string;
  displayName: string;
  fields: readonly FieldInput[];
}

/** Entities of a system, each described as one of a JSON API. */
export interface SystemEntities<Inputs> {
  /** All that there are now. */
  find(inputs: Inputs, calls: SystemCalls): Promise<readonly HttpEntityInput[]>;
  /** One that was found before, by its name and its fields; null: this system has no such entity. */
  describe(entity: FoundEntity, inputs: Inputs): HttpEntityInput | null;
}

export interface SystemSpec<Shape extends z.ZodRawShape> extends Pick<
  ConnectorDefinition,
  "type" | "displayName" | "description" | "icon" | "backgroundColor" | "helpUrl"
> {
  /** Settings of a connection beside its credentials, and the inputs that ask for them. */
  inputs: Shape;
  inputFields: readonly InputDefinition[];
  /** What is entered to sign in. */
  signIn: readonly SignIn[];
  /** How a person signs in in the browser; absent: nobody does. */
  consent?: Consent<z.output<z.ZodObject<Shape>>>;
  /** The API as it is called; `baseUrl` gives way to the one that a person enters. */
  api(inputs: z.output<z.ZodObject<Shape>>): Omit<z.input<typeof HttpConfig>, "entities">;
  entities: SystemEntities<z.output<z.ZodObject<Shape>>>;
  /** Seconds that a fresh write may stay out of lists. */
  readDelaySeconds?: number;
}

/** The same entities with the same fields in every account. */
export const fixedEntities = <Inputs>(all: (inputs: Inputs) => readonly HttpEntityInput[]): SystemEntities<Inputs> => ({
  find: async (inputs) => all(inputs),
  describe: ({ apiName }, inputs) => all(inputs).find((entity) => entity.apiName === apiName) ?? null,
});

const BASE_ADDRESS: InputDefinition = {
  name: "baseUrl",
  label: "Base address of the API",
  datatype: "url",
  fieldSet: "Advanced",
  helpText:
    "Only where the API is reached at another address than its usual one: a sandbox, a proxy or a server of your own.",
};

export function defineSystem<Shape extends z.ZodRawShape>(spec: SystemSpec<Shape>): ConnectorDefinition {
  const { inputs: shape, inputFields, signIn: entered, consent, api, entities, readDelaySeconds = 0, ...facts } = spec;
  const signIn = consent ? [...entered, byConsent(spec.displayName, consent)] : entered;
  const Inputs = z.object(shape);
  const OwnSettings = z.object({ baseUrl: Address.or(z.literal("")).nullish(), ...CONSENT_INPUTS });
  const Config = z.intersection(Inputs, OwnSettings);
  return defineConnector<z.output<typeof Config>>({
    ...facts,
    category: "application",
    config: Config,
    configFields: [...inputFields, BASE_ADDRESS],
    authMethods: signIn.map(({ as: _, ...method }) => method),
    capabilities: API_CAPABILITIES,
    capabilitiesOf: (config, schema) => {
      const entity = entities.describe(schema, config);
      return entity ? capabilitiesOf(parsed(entity)) : [];
    },
    readPageSize: 1000,
    writeBatchSize: 50,
    readDelaySeconds,
    hosts(config, authType) {
      const { baseUrl, ...called } = apiOf(config, authType);
      // Where the answer to a sign-in says where the API is, the usual address is not called.
      const isNamed = authType === "oauth" && consent?.instanceMember !== undefined && !config.baseUrl;
      return hostsOf({ ...called, baseUrl: isNamed ? (called.tokenUrl ?? baseUrl) : baseUrl });
    },
    destinations: (config, authType) =>
      authType === undefined ? destinationsOf(apiOf(config)) : destinationsBy(apiOf(config, authType), authType),
    signInProblems: (config, authType) =>
      consent && authType === "oauth" ? consentProblems(consentAddresses(consent, config), config) : [],
    ...(consent && {
      authorization: (config, credentials) => authorizationAt(consent, config, credentials, apiOf(config, "oauth")),
    }),
    connect(context, config) {
      const method = signIn.find(({ type }) => type === context.authType);
      if (!method)
        throw new ConnectorError(
          "configuration",
          `${spec.displayName} can't be signed in to with ${context.authType}.`,
        );
      const { type: authType, credentials } = method.as(context.credentials);
      const found = new WeakMap<EntitySchema, HttpEntityConfig>();
      return connectApi({ ...context, authType, credentials }, apiOf(config, authType), {
        described(schema) {
          const known = found.get(schema);
          if (known) return known;
          const entity = entities.describe(schema, config);
          if (!entity)
            throw new ConnectorError("schemaChanged", `${spec.displayName} has no entity ${schema.apiName}.`, {
              hint: "Refresh the schema, or take the entity out of the pipeline.",
            });
          const description = parsed(entity);
          found.set(schema, description);
          return description;
        },
        all: async (client) => (await entities.find(config, callsOf(client))).map(parsed),
      });
    },
  });

  function parsed(entity: HttpEntityInput): HttpEntityConfig {
    const { data, error } = HttpEntityConfig.safeParse(entity);
    if (data) return data;
    const [issue] = error.issues;
    throw new ConnectorError(
      "unexpected",
      `${entity.displayName} of ${spec.displayName} can't be described: ${issue?.path.join(".")}: ${issue?.message}.`,
    );
  }

  function apiOf(config: z.output<typeof Config>, authType?: string): HttpConfig {
    const described = api(config);
    if (consent && authType === "oauth") {
      const addresses = consentAddresses(consent, config);
      return HttpConfig.parse({ ...described, ...addresses, baseUrl: config.baseUrl || described.baseUrl });
    }
    if (!config.baseUrl) return HttpConfig.parse(described);
    // Tokens are given out at the same address as the API, by another path.
    const { tokenUrl } = described;
    const moved = tokenUrl ? { tokenUrl: new URL(new URL(tokenUrl).pathname, config.baseUrl).href } : {};
    return HttpConfig.parse({ ...described, ...moved, baseUrl: config.baseUrl });
  }
}

const callsOf = (client: HttpClient): SystemCalls => ({
  async get(path) {
    const { json } = await client.callJson({ method: "GET", path, headers: [], body: "" });
    return json;
  },
  async post(path, body) {
    const { json } = await client.callJson({ method: "POST", path, headers: [], body: "" }, { body });
    return json;
  },
});
