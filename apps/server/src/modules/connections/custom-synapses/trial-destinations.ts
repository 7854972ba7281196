/** Where the secrets go with which a draft is tested. */
import { ConnectorError } from "@accord/connector-sdk";
import { synapseConnectorType } from "@accord/connectors";
import type { HttpSynapseSettings, VariableValues } from "@accord/contracts/connections/http-synapse-definition";

/** null while the values do not make an address. */
export function destinationsOfTrial(settings: HttpSynapseSettings, values: VariableValues): string[] | null {
  const type = synapseConnectorType({ id: "trial", icon: "api", definition: { settings, entities: [] } });
  if (type.problems(values).length > 0) return null;
  try {
    return type.destinations(values, settings.authType);
  } catch (error) {
    if (error instanceof ConnectorError) return null;
    throw error;
  }
}
