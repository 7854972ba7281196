/** Retention: the module that forgets what happened long ago, and says when. */
import { getRetention, KEPT_KINDS } from "@accord/contracts/sync/retention";
import { KEEP_SETTINGS } from "../../../config.ts";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import { takeTurns } from "../../../platform/turns.ts";
import { forgetOld, type RetentionParts } from "./retention.ts";
import { retentionStore } from "./retention.store.ts";

const TURN_MS = 10 * 60_000;

export interface RetentionModule extends Module {
  /** One turn, as the worker takes it every ten minutes. */
  forgetOld(): Promise<void>;
}

export function retentionModule(deps: Deps, needs: Omit<RetentionParts, "deps" | "store">): RetentionModule {
  const parts: RetentionParts = { ...needs, deps, store: retentionStore(deps.dataPool) };
  let turn = 0;
  const forget = (signal: AbortSignal): Promise<void> => forgetOld(parts, signal, turn++);
  return {
    name: "sync/retention",
    routes: [
      route(getRetention, async () => ({
        kept: KEPT_KINDS.map((kind) => ({ kind, days: deps.config.keepDays[kind], setting: KEEP_SETTINGS[kind] })),
      })),
    ],
    forgetOld: () => forget(new AbortController().signal),
    async startWorker() {
      return takeTurns(TURN_MS, forget, (error) => deps.log.warn({ err: error }, "deleting old rows failed"));
    },
  };
}
