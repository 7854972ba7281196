/** Everything a connector is written with. The conformance kit is `@accord/connector-sdk/test-kit`. */
export * from "./connector.ts";
export * from "./errors.ts";
