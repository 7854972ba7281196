/** The whole product for a bench in the browser: built app, server with a database of its own, demo made. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveHome } from "../../../e2e/kit/serve-home.ts";
import { buildWebIfChanged } from "../../setup/web-build.ts";

export async function benchProduct(say: (line: string) => void): Promise<{ url: string; stop(): Promise<void> }> {
  await buildWebIfChanged(say);
  const home = mkdtempSync(join(tmpdir(), "accord-bench-"));
  // PostgreSQL refuses to run as root, and the user it runs as must be able to come in.
  chmodSync(home, 0o755);
  const server = await serveHome(join(home, "data"), { environment: { ACCORD_LOG_LEVEL: "silent" } });
  return {
    url: server.address,
    stop: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
