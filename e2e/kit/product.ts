/** The whole product for a journey: server with its own database started, demo made. */
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { copyHome, demoHome } from "./demo-home.ts";
import { serveHome } from "./serve-home.ts";

export interface Product {
  url: string;
  /** Its data folder. */
  home: string;
  /** Kills the embedded PostgreSQL as a crash would; the server starts it again. */
  killDatabase(): void;
  stop(): Promise<void>;
}

export interface ProductOptions {
  demo: boolean;
  /** The demo is made and loaded while the tests run; otherwise it is there from the beginning. */
  isFirstStart?: true;
  /** Addresses of the journey's own systems. */
  allow?: readonly string[];
  /** Without a log, for journeys that break things on purpose. */
  quiet?: boolean;
  /** More settings of the operator, by their names in the environment. */
  environment?: Record<string, string>;
}

/** Starts everything in a folder of its own, which goes when it stops. */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const home = mkdtempSync(join(tmpdir(), "accord-e2e-"));
  // PostgreSQL refuses to run as root, and the user it runs as must be able to come in.
  chmodSync(home, 0o755);
  if (options.demo && !options.isFirstStart) copyHome(await demoHome(), join(home, "data"));
  const server = await serveHome(join(home, "data"), {
    webDist: inject("webDist"),
    environment: {
      ACCORD_DEMO: options.demo ? "1" : "0",
      // Systems of the journey itself, on this machine.
      ACCORD_OUTBOUND_ALLOW: options.allow?.join(","),
      ...(options.quiet && { ACCORD_LOG_LEVEL: "silent" }),
      ...options.environment,
    },
  });
  return {
    url: server.address,
    home: join(home, "data"),
    killDatabase: () => {
      const [file = ""] = globSync("**/postmaster.pid", { cwd: home });
      process.kill(Number.parseInt(readFileSync(join(home, file), "utf8"), 10), "SIGKILL");
    },
    stop: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
