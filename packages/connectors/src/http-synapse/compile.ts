/** An HTTP synapse and the values of one connection, as the settings of the JSON API connector that runs it. */
import type { HttpSynapseDefinition, VariableValues } from "@accord/contracts/connections/http-synapse-definition";
import type { z } from "zod";
import type { HttpConfig } from "../http/config.ts";
import { fillAddress } from "./address.ts";

/** @throws ConnectorError for values that don't fit into the addresses. */
export function compileSynapse(
  { settings, entities }: HttpSynapseDefinition,
  values: VariableValues,
): z.input<typeof HttpConfig> {
  const { authConfig } = settings;
  const filled = (address: string): string => (address === "" ? "" : fillAddress(address, values));
  return {
    baseUrl: filled(settings.endpoint),
    ...authConfig,
    tokenUrl: filled(authConfig.tokenUrl),
    authorizationUrl: filled(authConfig.authorizationUrl),
    headers: settings.headers,
    checkPath: settings.testPath,
    checkMethod: settings.method,
    checkBody: settings.body,
    errorSelector: settings.errorSelector,
    timeoutSeconds: settings.timeoutSeconds,
    variables: knownOf(settings.variables, values),
    entities: entities.map(({ config }) => config),
  };
}

/** Each variable has a value: templates that name it are filled. */
const knownOf = (variables: HttpSynapseDefinition["settings"]["variables"], values: VariableValues): VariableValues =>
  Object.fromEntries(
    variables.map(({ name, multivalued }) => {
      const value = values[name] ?? (multivalued ? [] : "");
      if (multivalued) return [name, Array.isArray(value) ? value : [value]];
      return [name, Array.isArray(value) ? value.join(",") : value];
    }),
  );
