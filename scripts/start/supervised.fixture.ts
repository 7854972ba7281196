/** Programs for the test of `supervise`: the one that supervises, and servers that end in every way. Not a part of the product. */
import { appendFileSync } from "node:fs";
import { exitOnCrash } from "../../apps/server/src/platform/crash.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { READY, supervise } from "./supervise.ts";

const [part, way = "", file = ""] = process.argv.slice(2);
const LIMITS = { maxCrashes: 4, firstPauseMs: 10, maxPauseMs: 20, settledMs: 60_000 };

if (part === "supervisor") {
  const words = ["server", way, file];
  process.exit(
    await supervise({ file: import.meta.filename, words, say: (line) => console.log(line), limits: LIMITS }),
  );
} else serve();

function serve(): void {
  exitOnCrash(makeLog({ logLevel: "fatal" }));
  appendFileSync(file, `${process.pid} ${process.argv.slice(5).join(" ")}\n`);
  if (way === "fails to start") process.exit(3);
  const stop = (signal: string): void => {
    appendFileSync(file, `stopped by ${signal}\n`);
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) process.on(signal, () => stop(signal));
  process.send?.(READY, undefined, undefined, end);
}

function end(): void {
  if (way === "throws") throw new Error("thrown on purpose");
  if (way === "rejects") void Promise.reject(new Error("rejected on purpose"));
  if (way === "is killed") process.kill(process.pid, "SIGKILL");
  if (way === "ends") process.exit(0);
}
