/** Custom synapses that are described instead of programmed, without a runtime of their own. */
export { compileSynapse } from "./compile.ts";
export { lostSynapseType, synapseConnectorType, type SynapseFacts } from "./connector-type.ts";
export { entityProblems, settingsProblems, synapseProblems } from "./problems.ts";
export { recordExchanges } from "./record-exchanges.ts";
export { trySynapseCall } from "./trial.ts";
