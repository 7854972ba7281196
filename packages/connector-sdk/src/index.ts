/** Everything a connector is written with. The conformance kit is `@accord/connector-sdk/test-kit`. */
export * from "./authorization.ts";
export * from "./calendar.ts";
export * from "./call-limit-headers.ts";
export * from "./change-time.ts";
export * from "./classify.ts";
export * from "./conform.ts";
export type * from "./connection.ts";
export * from "./connector.ts";
export * from "./define-connector.ts";
export * from "./errors.ts";
export * from "./fingerprint.ts";
export { defineSynapse, type Synapse, type SynapseConnection, type SynapseContext } from "./guest/synapse.ts";
export * from "./infer.ts";
export * from "./local-time.ts";
export * from "./request.ts";
export * from "./selector.ts";
export * from "./token-keeper.ts";
