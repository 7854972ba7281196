/** Builds the browser app once for all journeys of a run. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildWeb } from "../../scripts/setup/web-build.ts";

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
  await buildWeb(webDist);
  project.provide("webDist", webDist);
}

export const teardown = (): void => rmSync(webDist, { recursive: true, force: true });
