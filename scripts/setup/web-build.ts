/** Builds the browser app when what it is made of changed since the last build. */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  const fingerprint = fingerprintOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return false;
  say("Building the browser app …");
  // Built beside and moved into place, so that a killed build never serves half an app.
  const unfinished = join(WEB, "dist.unfinished");
  const words = ["build", "apps/web", "--outDir", unfinished, "--emptyOutDir", "--logLevel", "warn"];
  const { code, output } = await runTool("vite", words, { environment: { NO_COLOR: "1" } });
  // The stack after the message is vite's own, of no help here.
  if (code !== 0) throw new BuildError(`The browser app could not be built.\n${output.split("\n    at ")[0]}`);
  writeFileSync(join(unfinished, ".built-from"), fingerprint);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(unfinished, DIST);
  return true;
}

function fingerprintOfSources(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !NO_SOURCES.test(file))
    .sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}
