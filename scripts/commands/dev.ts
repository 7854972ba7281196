/** `npm run dev`: database, server (restarted on change) and browser app with live reload, in one terminal. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { readConfig } from "../../apps/server/src/config.ts";
import { ROOT } from "../setup/root.mjs";

const WEB_PORT = Number(process.env["ACCORD_WEB_PORT"] ?? 5173);
const config = readConfig();
const address = `http://127.0.0.1:${WEB_PORT}`;

// The browser talks to vite, which passes /api on: for the server that is where pages come from.
const server = run("server", "node", ["--watch", "--watch-preserve-output", "apps/server/src/main.ts"], ROOT, {
  ACCORD_URL: process.env["ACCORD_URL"] ?? address,
  ACCORD_LOG_LEVEL: process.env["ACCORD_LOG_LEVEL"] ?? "info",
});
const web = run("web", "vite", ["--clearScreen", "false"], join(ROOT, "apps/web"), {
  ACCORD_WEB_PORT: String(WEB_PORT),
  ACCORD_SERVER_PORT: String(config.port),
});
console.log(`Open ${address}. Stop with Ctrl-C.`);

const children = [server, web];
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopAll(signal));
for (const child of children) child.on("exit", () => stopAll("SIGTERM"));

function stopAll(signal: NodeJS.Signals): void {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill(signal);
}

function run(
  label: string,
  program: string,
  words: readonly string[],
  folder: string,
  environment: Record<string, string>,
): ChildProcess {
  const child = spawn(join(ROOT, "node_modules/.bin", program), words, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment, PATH: `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"] ?? ""}` },
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream)
      createInterface({ input: stream }).on("line", (line) => console.log(`${label.padEnd(6)} ${readable(line)}`));
  }
  return child;
}

/** A log line as a person reads it; anything else as it is. */
function readable(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const { level, time, msg, err, ...facts } = JSON.parse(line);
    const details = Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts)}` : "";
    return `${String(time).slice(11, 19)} ${level} ${msg}${details}${err?.stack ? `\n${err.stack}` : ""}`;
  } catch {
    return line;
  }
}
