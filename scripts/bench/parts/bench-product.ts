/** The whole product for a bench in the browser: built app, server with a database of its own, demo made. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../../apps/server/src/config.ts";
import { startServer } from "../../../apps/server/src/main.ts";
import { makeLog } from "../../../apps/server/src/platform/log/log.ts";
import { ADMIN, freePort } from "../../../e2e/kit/admin.ts";
import { buildWebIfChanged } from "../../setup/web-build.ts";

export async function benchProduct(say: (line: string) => void): Promise<{ url: string; stop(): Promise<void> }> {
  await buildWebIfChanged(say);
  const home = mkdtempSync(join(tmpdir(), "accord-bench-"));
  // PostgreSQL refuses to run as root, and the user it runs as must be able to come in.
  chmodSync(home, 0o755);
  const config = readConfig({
    ACCORD_HOME: join(home, "data"),
    PORT: String(await freePort()),
    ACCORD_ADMIN_EMAIL: ADMIN.email,
    ACCORD_ADMIN_PASSWORD: ADMIN.password,
    ACCORD_DEMO: "1",
    ACCORD_LOG_LEVEL: "silent",
  });
  const server = await startServer(config, { log: makeLog({ logLevel: "silent" }) });
  return {
    url: server.address,
    stop: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
