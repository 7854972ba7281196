/** What `@accord/connector-sdk` is inside of a sandbox. */
export * from "../classify.ts";
export * from "../conform.ts";
export * from "../errors.ts";
export * from "../fingerprint.ts";
export * from "../request.ts";
export { defineSynapse, type Synapse, type SynapseConnection, type SynapseContext } from "./synapse.ts";
