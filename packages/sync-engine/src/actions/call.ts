/** An action to be performed: everything it needs as plain data. The world performs it; the core only says what. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { ChatService } from "@accord/contracts/sync/providers";

export interface HttpWork {
  kind: "http";
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Record<string, string>;
  /** Names of those that hold credentials. */
  secretHeaders?: readonly string[];
  body: string | null;
  timeoutMs: number;
  /** Further attempts after a failure that may pass. */
  retries: number;
  /** The receiver does a request with the same Idempotency-Key once, however often it comes. */
  isRepeatable: boolean;
}

/** What is to be done, tokens filled. */
export type ActionPayload =
  | { kind: "email"; to: string[]; subject: string; body: string; format: "html" | "text" }
  | HttpWork
  | { kind: "custom"; actionId: string; variables: Values }
  | { kind: "createExternal"; connectorId: string; entity: string; values: Values }
  | { kind: "updateExternal"; connectorId: string; entity: string; externalId: string; values: Values }
  | { kind: "deleteExternal"; connectorId: string; entity: string; externalId: string }
  | { kind: "createCore"; entity: string; values: Values }
  | { kind: "updateCore"; entity: string; field: string; value: Value; values: Values; upsert: boolean }
  | { kind: "deleteCore"; entity: string; field: string; value: Value; deleteInEndSystem: boolean }
  | { kind: "notify"; roles: string[]; text: string; severity: "info" | "warning" | "error" }
  | { kind: "chat"; service: ChatService; channel: string; text: string }
  | { kind: "log"; level: "info" | "warning" | "error"; text: string };

/** One action of one record, done at most once under its key. */
export interface ActionCall {
  /** Names the record, its state and the node (and the turn of a loop): the same way again gives the same key. */
  key: string;
  nodeId: string;
  label: string;
  action: string;
  externalId: string | null;
  recordId: string | null;
  work: ActionPayload;
}

/** What became of an action. */
export interface ActionOutcome {
  succeeded: boolean;
  /** JSON answer; a text that is no JSON as it is. */
  body: Value;
  code: string | null;
  /** Why it failed, in words; null when it did not. */
  message: string | null;
}
