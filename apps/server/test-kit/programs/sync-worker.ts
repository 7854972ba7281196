/** A worker process of the sync world, to be killed: `node sync-worker.ts <address of the data database>`. */
import { readConfig } from "../../src/config.ts";
import { runsModule } from "../../src/modules/sync/runs/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openDatabase } from "../../src/platform/db/db.ts";
import type { Deps } from "../../src/platform/deps.ts";
import { makeNewId } from "../../src/platform/ids.ts";
import { makeLog } from "../../src/platform/log/log.ts";
import { syncWorldNeeds } from "../sync-world/sync-world.ts";
import { testSecrets } from "../test-secrets.ts";

const log = makeLog({ logLevel: "error" });
const { pool } = openDatabase({ url: process.argv[2] ?? "", name: "sync-worker", connections: 6, log });
const realtime = { publish: async () => {} };
const deps = {
  config: readConfig({}),
  clock: systemClock,
  newId: makeNewId(systemClock),
  log,
  dataPool: pool,
  realtime,
  secrets: testSecrets,
} as unknown as Deps;
await runsModule(deps, syncWorldNeeds(pool)).startWorker?.();
process.send?.("working");
process.on("disconnect", () => process.exit(0));
