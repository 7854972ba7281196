/** The settings of an HTTP synapse and the values of one connection, as those of the JSON API connector that runs it. */
import type { HttpSynapseSettings, VariableValues } from "@accord/contracts/connections/http-synapse-definition";
import type { z } from "zod";
import type { HttpConfig } from "../http/config.ts";
import { fillAddress } from "./address.ts";

/**
 * Without entities: no value changes what they are, and they are checked where they are saved and published. Parsing
 * hundreds of them with each call would keep the process from everything else.
 * @throws ConnectorError for values that don't fit into the addresses.
 */
export function compileSynapse(settings: HttpSynapseSettings, values: VariableValues): z.input<typeof HttpConfig> {
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
  };
}

/** Each variable has a value: templates that name it are filled. */
const knownOf = (variables: HttpSynapseSettings["variables"], values: VariableValues): VariableValues =>
  Object.fromEntries(
    variables.map(({ name, multivalued }) => {
      const value = values[name] ?? (multivalued ? [] : "");
      if (multivalued) return [name, Array.isArray(value) ? value : [value]];
      return [name, Array.isArray(value) ? value.join(",") : value];
    }),
  );
