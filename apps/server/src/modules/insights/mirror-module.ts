/** The engine that answers datasets and cards: PostgreSQL, with the columnar mirror before it where that is on. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../platform/deps.ts";
import type { Module } from "../../platform/module.ts";
import type { SchemaService } from "../data/schema/index.ts";
import {
  type AnalyticsEngine,
  type Mirror,
  mirroredEngine,
  mirrorFolder,
  postgresEngine,
  type PostgresEngineOptions,
  startMirror,
  stopCapture,
} from "./engine/index.ts";
import { mirrorRoutes } from "./mirror-status.ts";

export interface MirrorModule extends Module {
  engine: AnalyticsEngine;
  /** Null where it is switched off. */
  mirror: Mirror | null;
}

const LIMITS = { threads: 2, instances: 4, maxGroups: 100_000 };
/** PostgreSQL answers most questions in less. */
const TIMEOUT_MS = 5_000;
/** To drop triggers, while others write to their tables. */
const [ATTEMPTS, RETRY_MS] = [20, 1_000];
const [STOP_ATTEMPTS, STOP_RETRY_MS] = [5, 100];

export function mirrorModule(
  deps: Deps,
  { schema, ...options }: PostgresEngineOptions & { schema: Pick<SchemaService, "listEntities"> },
): MirrorModule {
  const { config, dataPool, clock, log } = deps;
  const postgres = postgresEngine(dataPool, options);
  const { isOn, memoryMb, diskMb } = config.mirror;
  const url = dataPool.options.connectionString;
  // Changes that no copy needs would be noted for ever. Where another server does need them, it sees to their end itself.
  const endCapture = async (attempts: number, waitMs: number): Promise<void> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (attempt > 1) await sleep(waitMs, undefined, { ref: false });
      const { isBusy, isOwned } = await stopCapture(dataPool);
      if (!isBusy && !isOwned) return;
    }
  };
  const endCaptureLater = (): void =>
    void endCapture(ATTEMPTS, RETRY_MS).catch((error: unknown) =>
      log.warn({ err: error }, "changes are still noted for the mirror"),
    );
  // Of a server that ended without its leave, or while it was switched on.
  const endLeftCapture = async (): Promise<void> => {
    const { isBusy, isOwned } = await stopCapture(dataPool);
    if (isBusy || isOwned) endCaptureLater();
  };
  if (!isOn || url === undefined)
    return {
      ...{
        name: "insights/mirror",
        engine: postgres,
        mirror: null,
        routes: mirrorRoutes(deps, { schema, mirror: null }),
      },
      start: endLeftCapture,
    };
  const limits = { ...LIMITS, memoryMb, diskMb };
  const mirror = startMirror({
    ...{ url, folder: mirrorFolder(config.home), limits, log, clock },
    environment: config.connecting,
    onEnd: endCaptureLater,
  });
  const { parallel, parallelPerInstance, waiting } = options;
  const engine = mirroredEngine(postgres, mirror, {
    ...{
      pool: dataPool,
      clock,
      log,
      settings: config.mirror,
      timeoutMs: TIMEOUT_MS,
      parallel,
      parallelPerInstance,
      waiting,
    },
  });
  return { name: "insights/mirror", engine, mirror, routes: mirrorRoutes(deps, { schema, mirror }), start };

  async function start(): Promise<() => Promise<void>> {
    await endLeftCapture();
    return async () => {
      const wasInUse = mirror.pid !== undefined;
      await mirror.stop();
      // PostgreSQL takes a moment to notice that the process is gone. What is left the next start ends.
      if (wasInUse) await endCapture(STOP_ATTEMPTS, STOP_RETRY_MS).catch(() => {});
    };
  }
}
