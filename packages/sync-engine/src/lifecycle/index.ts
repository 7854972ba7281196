/** Tables of states: what a pipeline is called in each, and what may be done to it. */
export * from "./menu.ts";
export * from "./status.ts";
