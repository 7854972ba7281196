/** Rules of pipeline graphs, the same for editor and server. */
export * from "./catalogue.ts";
export * from "./clipboard.ts";
export * from "./compare.ts";
export * from "./edge-rules.ts";
export * from "./edits.ts";
export * from "./elements.ts";
export * from "./groups.ts";
export * from "./layout.ts";
export * from "./naming.ts";
export * from "./problem.ts";
export * from "./suggest-mappings.ts";
export * from "./tidy.ts";
export { loopFaults, loopRegions } from "./loops.ts";
export * from "./validate.ts";
export * from "./validate-fields.ts";
export * from "./walk.ts";
