/** Builds the browser app when what it is made of changed since the last build; keeps what open pages still ask for. */
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fingerprintOf } from "./fingerprint.ts";
import { ROOT } from "./root.mjs";
import { runTool } from "./run-tool.ts";

const WEB = join(ROOT, "apps/web");
const DIST = join(WEB, "dist");
const STAMP = join(DIST, ".built-from");
/** Tests and galleries don't end up in the build. */
const SOURCES = ["apps/web/**/*", "packages/*/src/**/*", "package-lock.json", "tsconfig*.json"];
const NO_SOURCES = /node_modules|apps\/web\/dist|\.test\.tsx?$|\/golden\//;

export class BuildError extends Error {
  override name = "BuildError";
}

/** @returns whether a build was needed. @throws BuildError with what the build said. */
export async function buildWebIfChanged(say: (line: string) => void): Promise<boolean> {
  const fingerprint = fingerprintOf(SOURCES, NO_SOURCES);
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return false;
  say("Building the browser app …");
  // Built beside and moved into place, so that a killed build never serves half an app.
  const unfinished = join(WEB, "dist.unfinished");
  await buildWeb(unfinished);
  writeFileSync(join(unfinished, ".built-from"), fingerprint);
  keepEarlierFiles(DIST, unfinished);
  const replaced = join(WEB, "dist.replaced");
  rmSync(replaced, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, replaced);
  renameSync(unfinished, DIST);
  rmSync(replaced, { recursive: true, force: true });
  return true;
}

/** Builds the browser app as it is shipped into a folder, which is emptied first. @throws BuildError with what the build said. */
export async function buildWeb(outDir: string): Promise<void> {
  const words = ["build", "apps/web", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
  // With another NODE_ENV around, as in a test, the page would get React's build for developers.
  const environment = { NO_COLOR: "1", NODE_ENV: "production" };
  const { code, output } = await runTool("vite", words, { environment });
  // The stack after the message is vite's own, of no help here.
  if (code !== 0) throw new BuildError(`The browser app could not be built.\n${output.split("\n    at ")[0]}`);
}

const EARLIER = ".files-of-builds.json";
/** Counted with the newest. */
const KEPT_BUILDS = 4;

/**
 * Copies the files of earlier builds beside those of the newest: a server that runs, and a page that is open, go on
 * with the build they began with. File names carry a digest of what is in them, so none stands in another's way.
 */
export function keepEarlierFiles(earlier: string, newest: string): void {
  const known = buildsIn(earlier);
  const made = readdirSync(join(newest, "assets"));
  const builds = [made, ...known].slice(0, KEPT_BUILDS);
  const copied = new Set(made);
  for (const file of builds.flat()) {
    if (copied.has(file) || !existsSync(join(earlier, "assets", file))) continue;
    copied.add(file);
    copyFileSync(join(earlier, "assets", file), join(newest, "assets", file));
  }
  writeFileSync(join(newest, EARLIER), JSON.stringify(builds));
}

/** File names by build, the newest first. */
function buildsIn(folder: string): string[][] {
  if (existsSync(join(folder, EARLIER)))
    return BuildFiles.parse(JSON.parse(readFileSync(join(folder, EARLIER), "utf8")));
  return existsSync(join(folder, "assets")) ? [readdirSync(join(folder, "assets"))] : [];
}

const BuildFiles = z.array(z.array(z.string()));
