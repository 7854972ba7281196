/** Whole servers as processes of their own, on databases of the test's: started, stopped for a while, killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = new URL("../src/main.ts", import.meta.url).pathname;

export interface ServerEnvironment {
  appUrl: string;
  dataUrl: string;
  /** Other settings. */
  settings?: Record<string, string>;
}

export interface ServerProcess {
  child: ChildProcess;
  /** What it wrote so far. */
  output(): string;
  /** Resolves once it serves; rejects with its output where it ended instead. */
  ready: Promise<void>;
}

/** Servers of one test. They share one master key, as servers on one database do. */
export class ServerProcesses {
  readonly #environment: ServerEnvironment;
  readonly #folder = mkdtempSync(join(tmpdir(), "accord-servers-"));
  readonly #servers: ChildProcess[] = [];

  constructor(environment: ServerEnvironment) {
    this.#environment = environment;
  }

  start(roles = "worker,scheduler"): ServerProcess {
    const { appUrl, dataUrl, settings } = this.#environment;
    const child = spawn(process.execPath, [PROGRAM, `--roles=${roles}`], {
      env: {
        PATH: process.env["PATH"],
        DATABASE_URL: appUrl,
        ACCORD_DATA_DATABASE_URL: dataUrl,
        ACCORD_HOME: join(this.#folder, `home-${this.#servers.length}`),
        ACCORD_MASTER_KEY_FILE: join(this.#folder, "master.key"),
        ACCORD_DEMO: "0",
        ACCORD_LOG_LEVEL: "warn",
        ...settings,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#servers.push(child);
    let output = "";
    const ready = new Promise<void>((resolve, reject) => {
      const hear = (part: Buffer): void => {
        output += part.toString();
        if (output.includes("Ready:")) resolve();
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", (code, signal) => reject(new Error(`A server ended (${code ?? signal}):\n${output}`)));
    });
    // Looked at by whoever waits for it.
    ready.catch(() => {});
    return { child, output: () => output, ready };
  }

  async kill({ child }: Pick<ServerProcess, "child">): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async killAll(): Promise<void> {
    for (const child of this.#servers) await this.kill({ child });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
