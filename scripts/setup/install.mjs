/** Installs the packages of the lockfile when they are missing or not those. Plain Node 20, no packages. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

const PROGRESS_EVERY_MS = 10_000;
const LIBC = existsSync("/etc/alpine-release") ? "musl" : "glibc";

/** Returns at once when everything is in place, which takes a few milliseconds to see. */
export async function ensureInstalled() {
  const missing = missingPackages();
  if (missing === 0) return;
  console.error(`Installing ${missing} packages (once, about a minute) …`);
  const started = Date.now();
  const progress = setInterval(
    () => console.error(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`),
    PROGRESS_EVERY_MS,
  );
  try {
    // `npm ci` refuses a lockfile without the packages of platforms that the registry it was made with doesn't have;
    // `install` takes the same versions with the same checksums, and must only be kept from rewriting the file.
    await npm(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
  } finally {
    clearInterval(progress);
  }
}

/** How many packages of the lockfile that this machine needs are not installed in that version. */
export function missingPackages(root = ROOT) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules/.package-lock.json"));
  return Object.entries(wanted).filter(
    ([path, entry]) => path.includes("node_modules/") && !entry.link && !isRight(entry, installed[path]),
  ).length;
}

function isRight(wanted, installed) {
  if (installed) return installed.version === wanted.version;
  if (!wanted.optional) return false;
  // Without marks of its own an optional package only serves another optional one, which npm judged already.
  const allows = (list, value) => !list || list.includes(value);
  const isMarked = wanted.os ?? wanted.cpu ?? wanted.libc;
  const suits = allows(wanted.os, process.platform) && allows(wanted.cpu, process.arch) && allows(wanted.libc, LIBC);
  return !isMarked || !suits;
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
}

function npm(words) {
  return new Promise((done, fail) => {
    let said = "";
    const child = spawn("npm", words, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.on("error", () => fail(new Error("npm was not found. Install Node.js 20 or later, which brings npm.")));
    child.on("exit", (code) =>
      code === 0 ? done() : fail(new Error(`npm ${words.join(" ")} failed. It said:\n${said.trim()}`)),
    );
  });
}
