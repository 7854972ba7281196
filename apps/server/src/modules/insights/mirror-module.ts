/** The engine that answers datasets and cards: PostgreSQL, with the columnar mirror before it where that is on. */
import { getMirrorStatus } from "@accord/contracts/insights/mirror";
import { instanceSchema } from "../../platform/db/db.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Module, route } from "../../platform/module.ts";
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

export interface MirrorModule extends Module {
  engine: AnalyticsEngine;
  /** Null where it is switched off. */
  mirror: Mirror | null;
}

const LIMITS = { threads: 2, instances: 4, maxGroups: 100_000 };
/** PostgreSQL answers most questions in less. */
const TIMEOUT_MS = 5_000;

export function mirrorModule(deps: Deps, options: PostgresEngineOptions): MirrorModule {
  const { config, dataPool, clock, log } = deps;
  const postgres = postgresEngine(dataPool, options);
  const { isOn, memoryMb, diskMb } = config.mirror;
  const url = dataPool.options.connectionString;
  if (!isOn || url === undefined)
    return {
      ...{ name: "insights/mirror", engine: postgres, mirror: null, routes: statusRoutes(null) },
      // What was noted while it was on would be noted for ever.
      start: async () => void (await stopCapture(dataPool)),
    };
  const mirror = startMirror({ url, folder: mirrorFolder(config.home), limits: { ...LIMITS, memoryMb, diskMb }, log });
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
  return { name: "insights/mirror", engine, mirror, routes: statusRoutes(mirror), start: async () => mirror.stop };
}

const statusRoutes = (mirror: Mirror | null) => [
  route(getMirrorStatus, async ({ instanceId }) => {
    if (!mirror) return { state: "off" as const, entities: [] };
    const { state, tables } = mirror.status();
    const own = tables.filter(({ schema }) => schema === instanceSchema(instanceId));
    return {
      state,
      entities: own.map(({ table, state: of, records }) => ({ apiName: table.replace(/^r_/, ""), state: of, records })),
    };
  }),
];
