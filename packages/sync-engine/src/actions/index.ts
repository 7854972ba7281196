/** Pipeline actions: the registry, how nodes are compiled, and what the world is asked to do. */
export type * from "./call.ts";
export { actionFacts, actionsFor } from "./facts.ts";
export * from "./fill-text.ts";
export { compileWebhookAnswer, RESPOND_TO_WEBHOOK, type WebhookAnswer } from "./webhook-answer.ts";
export {
  type ActionAttempt,
  type ActionEnd,
  toFinalState,
  nextState,
  OUTCOME_UNKNOWN,
  isIdempotent,
} from "./retry-policy.ts";
export { ACTIONS, actionByName } from "./registry.ts";
