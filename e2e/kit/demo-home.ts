/**
 * A home of the product whose demo is made and has been loaded once. Journeys start from copies of it: 45,000 records
 * loaded anew for each of them took more time than most of what they do.
 */
import { execFile, execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { isAlive } from "../../apps/server/src/platform/postgres/process-identity.ts";
import { fingerprintOf } from "../../scripts/setup/fingerprint.ts";
import { ROOT } from "../../scripts/setup/root.mjs";

/** Of each account its own: files of PostgreSQL can be read by their owner alone. */
const KEPT = join(ROOT, `node_modules/.cache/accord-demo-home-${process.getuid?.() ?? "one"}`);
/** What decides how a home looks. */
const SOURCES = ["apps/server/{src,migrations}/**/*", "packages/*/src/**/*", "package-lock.json"];
const NO_SOURCES = /\.test\.tsx?$/;
/** Found out once: files of a worker share it. */
let hash: string | undefined;
const POLL_MS = 500;

/** Path of the home. Whoever asks first where none is kept of this source code makes it; the others wait. */
export async function demoHome(): Promise<string> {
  hash ??= fingerprintOf(SOURCES, NO_SOURCES).slice(0, 16);
  const home = join(KEPT, hash);
  fs.mkdirSync(KEPT, { recursive: true });
  for (; !fs.existsSync(home); await pause(POLL_MS)) {
    const maker = makerOf(home);
    if (maker === process.pid) await make(home, hash);
    else if (!isAlive(maker)) fs.rmSync(`${home}.maker`, { force: true });
  }
  return home;
}

/** The process that makes it: the first whose number stands in a file, which appears together with it. */
function makerOf(home: string): number {
  const [file, own] = [`${home}.maker`, `${home}.maker.${process.pid}`];
  if (!fs.existsSync(file)) {
    fs.writeFileSync(own, String(process.pid));
    try {
      fs.linkSync(own, file);
    } catch (error) {
      if (!fs.existsSync(file)) throw error;
    } finally {
      fs.rmSync(own);
    }
  }
  return Number(fs.readFileSync(file, "utf8"));
}

async function make(home: string, hash: string): Promise<void> {
  for (const name of fs.readdirSync(KEPT)) {
    if (!name.startsWith(`${hash}.maker`)) fs.rmSync(join(KEPT, name), { recursive: true, force: true });
  }
  const fresh = fs.mkdtempSync(`${home}.new-`);
  // PostgreSQL refuses to run as root, and the user it runs as must be able to come in.
  for (const folder of [KEPT, fresh]) fs.chmodSync(folder, 0o755);
  // A program of its own, as the product is one: it ends with all that it holds.
  const program = [join(import.meta.dirname, "load-demo.ts"), join(fresh, "data")];
  await promisify(execFile)(process.execPath, program, { env: { ...process.env, NODE_NO_WARNINGS: "1" } });
  fs.renameSync(join(fresh, "data"), home);
  fs.rmSync(fresh, { recursive: true });
  fs.rmSync(`${home}.maker`, { force: true });
}

/** With owners and rights, which PostgreSQL insists on; its port is chosen anew, since copies run beside each other. */
export function copyHome(from: string, to: string): void {
  execFileSync("cp", ["-a", from, to]);
  const settings = join(to, "postgres.json");
  fs.writeFileSync(settings, JSON.stringify({ ...JSON.parse(fs.readFileSync(settings, "utf8")), port: 0 }));
}
