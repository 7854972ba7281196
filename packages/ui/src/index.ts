/** Buttons, tables, panels and states without product words. */
export * from "./theme.ts";
export * from "./ui-provider.tsx";
