/** Runs a script under Node 24: this process if it is one, else the Node that was installed with the packages. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./root.mjs";

const LEAST_MAJOR = 24;

/** Ends this process with the script's exit code, unless the script runs in this very process. */
export async function runUnderNode24(script, words) {
  const file = join(ROOT, script);
  process.chdir(ROOT);
  if (Number.parseInt(process.versions.node, 10) >= LEAST_MAJOR) {
    process.argv = [process.execPath, file, ...words];
    await import(pathToFileURL(file).href);
    return;
  }
  const child = spawn(findNode24(), [file, ...words], { cwd: ROOT, stdio: "inherit", env: withBinFirst() });
  // The terminal sends Ctrl-C to both; this one waits for the other to finish its work.
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  const { code, signal } = await new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code, signal) => done({ code, signal }));
  });
  process.exit(signal ? 128 + constants.signals[signal] : code);
}

function findNode24() {
  const packaged = join(ROOT, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(packaged)) return packaged;
  throw new Error(
    `Accord runs on Node.js ${LEAST_MAJOR} or later; this is ${process.versions.node}, and none comes packaged for ` +
      `${process.platform} on ${process.arch}. Install Node.js ${LEAST_MAJOR} and start again.`,
  );
}

function withBinFirst() {
  return { ...process.env, PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH ?? ""}` };
}
