/** The words server and browser share. Feature contracts are imported by path: `@accord/contracts/sync/graph`. */
export * from "./endpoint.ts";
export * from "./errors.ts";
export * from "./event.ts";
export * from "./ids.ts";
export * from "./product.ts";
export * from "./access/permissions.ts";
export * from "./access/roles.ts";
