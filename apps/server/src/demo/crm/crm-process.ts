/** Runs the demo's CRM as a program of its own beside the server, and starts it again when it dies. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../platform/log/log.ts";
import type { KnownCompany } from "../companies.ts";
import { createDice } from "../random.ts";
import type { Company } from "./company-store.ts";

export interface RunningCrm {
  url: string;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const OWNERS = ["Maya Lind", "Jonas Weber", "Priya Raman", "Tom Ellery", "Chloé Marchand", "Sam Okafor"];

/** Writes the CRM's first journal if there is none yet. */
export function ensureCrmData(journal: string, companies: () => readonly KnownCompany[], now: Date): void {
  if (existsSync(journal)) return;
  const dice = createDice(90_125);
  const lines = companies().map((known, at) => {
    const changed = new Date(now.getTime() - dice.next() * 300 * DAY_MS - DAY_MS).toISOString();
    const company: Company = {
      id: String(10_001 + at),
      name: known.name,
      domain: known.domain,
      vat_number: known.vatNumber,
      industry: known.industry,
      employees: known.employees,
      annual_revenue: known.revenue,
      stage: dice.chance(0.86) ? "customer" : dice.chance(0.7) ? "prospect" : "former",
      phone: known.phone,
      email: known.email,
      street: known.street,
      postal_code: known.postalCode,
      city: known.city,
      country: known.country,
      owner: dice.chance(0.9) ? dice.pick(OWNERS) : null,
      deleted: false,
      created_at: new Date(now.getTime() - known.customerForDays * DAY_MS).toISOString(),
      updated_at: changed,
    };
    return JSON.stringify({ company });
  });
  writeFileSync(`${journal}.part`, `${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(`${journal}.part`, journal);
}

/** Starts the CRM at its old port if that is free, at any other if not. */
export async function startCrm(options: {
  journal: string;
  apiKey: string;
  port: number;
  log: Log;
}): Promise<RunningCrm> {
  const { log } = options;
  let stopping = false;
  let { child, port } = await launch(options).catch(() => launch({ ...options, port: 0 }));
  const watch = (current: ChildProcess): void => {
    current.once("exit", (code, signal) => {
      if (stopping) return;
      log.warn({ code, signal }, "the demo's CRM ended; starting it again");
      void revive();
    });
  };
  const revive = async (): Promise<void> => {
    for (let wait = 200; !stopping; wait = Math.min(wait * 2, 10_000)) {
      try {
        ({ child, port } = await launch({ ...options, port }));
        return watch(child);
      } catch (error) {
        log.warn({ err: error }, "the demo's CRM could not be started; trying once more");
        await pause(wait);
      }
    }
  };
  watch(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Only where it hangs: a process may need long to begin on a busy machine, and without it the whole demo is missing. */
const START_TIMEOUT_MS = 120_000;

async function launch({ journal, apiKey, port }: { journal: string; apiKey: string; port: number }) {
  // Its stdin is our life line: it ends when we do. The key goes through it too: arguments can be seen by everybody.
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), String(port), journal], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { NODE_NO_WARNINGS: "1" },
  });
  child.stdin.on("error", () => {});
  child.stdin.write(`${apiKey}\n`);
  let said = "";
  let complained = "";
  child.stderr.on("data", (bytes: Buffer) => (complained = `${complained}${bytes.toString()}`.slice(-2000)));
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("\n")) resolve((JSON.parse(said) as { port: number }).port);
    });
    child.once("exit", () => reject(new Error(`The demo's CRM did not start: ${complained.trim()}`)));
    child.once("error", reject);
    setTimeout(() => reject(new Error("The demo's CRM did not start in time.")), START_TIMEOUT_MS).unref();
  });
  try {
    return { child, port: await ready };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}
