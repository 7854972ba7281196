/** Pipeline functions: the registry, how nodes are compiled and run, and what may be said about them. */
export type { AttachLookup, CompiledAttach } from "./record/attach-record.ts";
export { compileAttach, compileNode, takesEdge } from "./compile.ts";
export * from "./context.ts";
export { conversionMessage } from "./kinds/conversion.ts";
export * from "./define.ts";
export * from "./facts.ts";
export * from "./flow.ts";
export * from "./data-requests.ts";
export * from "./registry.ts";
export * from "./tokens/token-list.ts";
export { restAfter, tokensOf } from "./tokens/token-names.ts";
export * from "./tokens/tokens.ts";
