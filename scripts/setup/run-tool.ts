/** Runs a program of node_modules/.bin, or one of our own scripts, and waits for it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

export interface ToolResult {
  code: number;
  /** Everything it printed; empty when it printed to the terminal itself. */
  output: string;
}

interface RunOptions {
  /** Prints straight to the terminal. Otherwise the output is collected. */
  show?: boolean;
  environment?: Record<string, string>;
  folder?: string;
}

export function runTool(
  name: string,
  words: readonly string[],
  { show = false, environment = {}, folder = ROOT }: RunOptions = {},
): Promise<ToolResult> {
  return new Promise((done, fail) => {
    let output = "";
    const child = spawn(join(ROOT, "node_modules/.bin", name), words, {
      cwd: folder,
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
      // Tools written for any Node must find the one that we brought.
      env: { ...process.env, ...environment, PATH: `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"] ?? ""}` },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (part: Buffer) => (output += part.toString()));
    child.on("error", fail);
    child.on("exit", (code, signal) => done({ code: code ?? (signal ? 1 : 0), output }));
  });
}
