/** What a module is: its routes, its background jobs and what it starts. `app.ts` lists every module. */
import type { AnyEndpoint, ParsedInput, ReplyInput } from "@accord/contracts";
import type { FastifyInstance } from "fastify";
import type { Sessions } from "./access/principal.ts";
import type { Ctx, ShareViewer } from "./ctx.ts";
import type { Download } from "./http/download.ts";
import type { Redirect } from "./http/redirect.ts";

/** One endpoint with the use case that answers it. */
export interface Route {
  endpoint: AnyEndpoint;
  handle: (ctx: Ctx, input: never) => Promise<unknown>;
}

/**
 * Joins an endpoint with its use case. The handler gets parsed params, query and body, and returns the reply
 * (or a `Download`, when the answer is a file, or a `Redirect`). Everything it may do for the caller hangs on `ctx`.
 */
export function route<E extends AnyEndpoint>(
  endpoint: E,
  handle: (ctx: Ctx, input: ParsedInput<E>) => Promise<ReplyInput<E> | Download | Redirect>,
): Route {
  return { endpoint, handle: handle as Route["handle"] };
}

export interface Module {
  /** Area and feature: `insights/dashboards`. */
  name: string;
  routes?: Route[];
  /** Pages of its own beside its endpoints; each looks for itself who is calling. */
  servePages?: (http: FastifyInstance, sessions: Sessions) => void;
  /** Background work of the roles `worker` and `scheduler`; returns how to stop it. */
  startWorker?: () => Promise<() => Promise<void>>;
  /** Called once at start-up in every role, after migrations. */
  start?: () => Promise<(() => Promise<void>) | void>;
  /** Finds the outsider of a `shareViewer` call by the token in the share cookie. One module provides it. */
  shareSessions?: { find(token: string): Promise<ShareViewer | null> };
}
