/** The connector type that a published HTTP synapse is: what its connections are asked for, run by the JSON API connector. */
import { ConnectorError, defineConnector, type ConnectorDefinition } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type {
  HttpSynapseDefinition,
  HttpSynapseSettings,
  SynapseVariable,
  VariableValues,
} from "@accord/contracts/connections/http-synapse-definition";
import { z } from "zod";
import { destinationsBy, destinationsOf, hostsOf, HttpConfig } from "../http/config.ts";
import { API_CAPABILITIES, capabilitiesOf, connectApi } from "../http/connect.ts";
import { authorizationOf, signInProblems } from "../http/sign-in/authorization.ts";
import { HTTP_AUTH_METHODS } from "../http/sign-in/inputs.ts";
import { compileSynapse } from "./compile.ts";

export interface SynapseFacts {
  id: string;
  icon: string;
  definition: HttpSynapseDefinition;
}

export function synapseConnectorType({ id, icon, definition }: SynapseFacts): ConnectorDefinition {
  const { settings, entities } = definition;
  const apiOf = (values: VariableValues): HttpConfig => parsed(compileSynapse(settings, values));
  const described: ReadonlyMap<string, HttpEntityConfig> = new Map(
    entities.map(({ config }) => [config.apiName, config]),
  );
  const method = HTTP_AUTH_METHODS.find(({ type }) => type === settings.authType);
  const isByPerson = settings.authType === "oauth";
  return defineConnector<VariableValues>({
    type: id,
    displayName: settings.displayName,
    category: "api",
    description: settings.description,
    icon,
    backgroundColor: "teal",
    config: valuesOf(settings),
    configFields: settings.variables.map(inputOf),
    authMethods: method ? [{ type: method.type, label: method.label, fields: method.fields }] : [],
    capabilities: API_CAPABILITIES,
    capabilitiesOf: (_, schema) => {
      const entity = described.get(schema.apiName);
      return entity ? capabilitiesOf(entity) : [];
    },
    readPageSize: 1000,
    writeBatchSize: 50,
    readDelaySeconds: 0,
    hosts: (values) => hostsOf(apiOf(values)),
    destinations: (values, authType) =>
      authType === undefined ? destinationsOf(apiOf(values)) : destinationsBy(apiOf(values), authType),
    signInProblems: (values, authType) => signInProblems(apiOf(values), authType),
    ...(isByPerson && { authorization: (values, credentials) => authorizationOf(apiOf(values), credentials) }),
    connect(context, values) {
      if (context.authType !== settings.authType)
        throw new ConnectorError("authentication", `${settings.displayName} is signed in to in another way now.`, {
          neverSent: true,
          hint: "Edit the connection and enter what it asks for now.",
        });
      return connectApi(context, apiOf(values), {
        described: ({ apiName }) => {
          const entity = described.get(apiName);
          if (entity) return entity;
          throw new ConnectorError("schemaChanged", `${settings.displayName} has no entity ${apiName} any more.`, {
            hint: "Take it out of the pipeline, or publish a version of the synapse that has it again.",
          });
        },
        all: async () => [...described.values()],
      });
    },
  });
}

/** A synapse that is gone, or not shared any more: its connections are shown, and can't be opened. */
export function lostSynapseType(id: string): ConnectorDefinition {
  const lost = (): never => {
    throw new ConnectorError(
      "configuration",
      "The custom synapse of this connection is not shared with this instance any more.",
      {
        neverSent: true,
        hint: "Ask whoever made the synapse to share it again, or delete the connection.",
      },
    );
  };
  return defineConnector({
    type: id,
    displayName: "Custom synapse",
    category: "api",
    description: "A custom synapse that is not available.",
    icon: "api",
    backgroundColor: "gray",
    config: z.record(z.string(), z.unknown()),
    configFields: [],
    authMethods: [],
    capabilities: [],
    readPageSize: 1000,
    writeBatchSize: 50,
    readDelaySeconds: 0,
    hosts: () => [],
    destinations: () => [],
    connect: lost,
  });
}

function parsed(input: z.input<typeof HttpConfig>): HttpConfig {
  const { data, error } = HttpConfig.safeParse(input);
  if (data) return data;
  const [issue] = error.issues;
  throw new ConnectorError(
    "configuration",
    `The synapse can't be called: ${issue?.path.join(".")}: ${issue?.message}.`,
    {
      neverSent: true,
      hint: "Correct the values of the connection, or the synapse.",
    },
  );
}

/** What a connection stores: a value for each variable that the definition has now. */
function valuesOf(settings: HttpSynapseSettings): z.ZodType<VariableValues> {
  const shape = Object.fromEntries(
    settings.variables.map(({ name, required, multivalued }) => [
      name,
      multivalued
        ? listOf(required)
        : required
          ? z.string().trim().min(1, "is required").max(4000)
          : z.string().max(4000).default(""),
    ]),
  );
  return z.preprocess(withoutBlanks, z.object(shape)).superRefine((values, context) => {
    try {
      const { error } = HttpConfig.safeParse(compileSynapse(settings, values));
      for (const issue of error?.issues ?? [])
        context.addIssue({
          code: "custom",
          path: firstVariable(settings),
          message: `does not fit: ${issue.message}`,
        });
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      const name = /^The value of (\w+) /.exec(error.message)?.[1];
      const message = error.message.replace(/^The value of \w+ /, "").replace(/\.$/, "");
      context.addIssue({ code: "custom", path: name ? [name] : firstVariable(settings), message });
    }
  });
}

/** A form sends several values as a list, or as one text with a line for each. */
const listOf = (required: boolean) => {
  const list = z
    .union([z.array(z.string().max(4000)).max(100), z.string().max(20_000)])
    .default([])
    .transform((value) =>
      (Array.isArray(value) ? value : value.split(/\r?\n/)).map((one) => one.trim()).filter((one) => one !== ""),
    );
  return required ? list.refine((value) => value.length > 0, "is required") : list;
};

const withoutBlanks = (values: unknown): unknown =>
  typeof values === "object" && values !== null
    ? Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))
    : values;

const firstVariable = ({ variables }: HttpSynapseSettings): string[] => variables.slice(0, 1).map(({ name }) => name);

const inputOf = ({ name, displayName, helpText, required, multivalued }: SynapseVariable): InputDefinition => ({
  name,
  label: displayName || name,
  datatype: multivalued ? "textarea" : "string",
  required,
  ...((helpText || multivalued) && {
    helpText: [helpText, multivalued ? "One on each line." : ""].filter(Boolean).join(" "),
  }),
});
