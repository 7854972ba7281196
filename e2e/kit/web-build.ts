/** Builds the browser app once for all journeys of a run. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import type { TestProject } from "vitest/node";

const WEB = resolve(import.meta.dirname, "../../apps/web");

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the built browser app. */
    webDist: string;
  }
}

let webDist = "";

export async function setup(project: TestProject): Promise<void> {
  webDist = mkdtempSync(join(tmpdir(), "accord-e2e-web-"));
  chmodSync(webDist, 0o755);
  await build({
    root: WEB,
    configFile: join(WEB, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: webDist, emptyOutDir: true },
  });
  project.provide("webDist", webDist);
}

export const teardown = (): void => rmSync(webDist, { recursive: true, force: true });
