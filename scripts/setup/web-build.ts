/** Builds the browser app when what it is made of changed since the last build. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

const WEB = join(ROOT, "apps/web");
const DIST = join(WEB, "dist");
const STAMP = join(DIST, ".built-from");
/** Tests and galleries don't end up in the build. */
const SOURCES = ["apps/web/**/*", "packages/*/src/**/*", "package-lock.json", "tsconfig*.json"];
const NO_SOURCES = /node_modules|apps\/web\/dist|\.test\.tsx?$|\/golden\//;

/** @returns whether a build was needed. @throws Error with what the build said. */
export async function buildWebIfChanged(say: (line: string) => void): Promise<boolean> {
  const fingerprint = fingerprintOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return false;
  say("Building the browser app …");
  // Built beside and moved into place, so that a killed build never serves half an app.
  const unfinished = join(WEB, "dist.unfinished");
  await vite(["build", "--outDir", unfinished, "--emptyOutDir", "--logLevel", "warn"]);
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

function vite(words: string[]): Promise<void> {
  return new Promise((done, fail) => {
    let said = "";
    const program = join(ROOT, "node_modules/vite/bin/vite.js");
    const child = spawn(process.execPath, [program, ...words], { cwd: WEB, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.on("error", fail);
    child.on("exit", (code) => (code === 0 ? done() : fail(new Error(`The browser app could not be built:\n${said}`))));
  });
}
