/** Statuses, states and menus of pipelines: tables that the browser shows and the server guards by. */
export * from "./health.ts";
export * from "./menu.ts";
export { orderRows } from "./order.ts";
export { nextRunAt, scheduleProblem } from "./schedule.ts";
export * from "./state.ts";
export * from "./status.ts";
export * from "./agreement.ts";
export * from "./summary.ts";
