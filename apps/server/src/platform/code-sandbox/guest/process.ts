/** The program of a sandbox process: runs what the server sends, a slice at a time, and ends with the server. */
import { CODE_LIMITS } from "../limits.ts";
import { type FromProcess, outputOf, type SliceOfRuns, ToProcess } from "../protocol.ts";
import { type Guest, newGuest } from "./guest.ts";

const send = (message: FromProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });

/** A new instance for each slice, and after each run that did not end by itself. */
async function runSlice({ inputs, ...program }: SliceOfRuns): Promise<void> {
  const end = performance.now() + CODE_LIMITS.sliceMs;
  let guest: Guest | null = null;
  let output = 0;
  for (const [index, input] of inputs.entries()) {
    if (index > 0 && (performance.now() > end || output >= CODE_LIMITS.sliceOutput)) break;
    if (!guest || guest.isSpent) guest = await newGuest();
    const result = guest.run({ ...program, input });
    output += outputOf(result);
    await send({ kind: "result", result });
    // The server counts these, and decides whether the rest is begun.
    if (!result.ok && result.code === "code_timed_out") break;
  }
  await send({ kind: "done" });
}

async function handle(message: unknown): Promise<void> {
  const request = ToProcess.parse(message);
  if (request.kind === "run") return runSlice(request);
  const guest = await newGuest();
  await send({ kind: "result", result: guest.check(request) ?? { ok: true, output: "" } });
  await send({ kind: "done" });
}

process.on("disconnect", () => process.exit(0));
// Stopping is the server's: a signal to the whole group of processes is no reason to leave a run unfinished.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
process.on("message", (message) => {
  handle(message).catch((error: unknown) => {
    process.stderr.write(String(error));
    process.exit(1);
  });
});
await send({ kind: "ready" });
