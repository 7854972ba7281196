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
export { credentialHeaderName, customActionIssues, NO_FIXED_ORIGIN } from "./custom/definition-issues.ts";
export { variableMismatches, type VariableMismatch } from "./custom/node-mismatches.ts";
export { BATCH_RECORDS, customRequest, fixedOrigin } from "./custom/request.ts";
export { fitVariables, problemText } from "./custom/variables.ts";
