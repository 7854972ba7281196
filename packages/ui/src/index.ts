/** Buttons, tables, panels and states without product words. */
export * from "./theme.ts";
export * from "./ui-provider.tsx";
export * from "./ui-words.ts";
export * from "./copyable-id/copyable-id.tsx";
export * from "./empty-state/empty-state.tsx";
export * from "./error-box/error-box.tsx";
export * from "./error-screen/error-screen.tsx";
export * from "./page-header/page-header.tsx";
export * from "./skeletons/skeletons.tsx";
