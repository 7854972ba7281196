/** The settings of a version as it was answered, for calls that are tried by them. Pure. */
import type { HttpSynapseSettings } from "@accord/contracts/connections/http-synapse-definition";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";

export function settingsOfVersion(synapse: HttpSynapse): HttpSynapseSettings {
  const { displayName, description, endpoint, method, testPath, body, headers, authType, authConfig } = synapse;
  const { variables, errorSelector, timeoutSeconds } = synapse;
  const called = { displayName, description, endpoint, method, testPath, body, headers };
  return { ...called, authType, authConfig, variables, errorSelector, timeoutSeconds };
}
