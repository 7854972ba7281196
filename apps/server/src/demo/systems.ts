/** The demo's outside systems: makes them on the first start, starts them with the server, and says where they are. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../config.ts";
import type { Log } from "../platform/log/log.ts";
import { ensureBilling, type BillingAddress } from "./billing.ts";
import { makeTwoViews, type TwoViews } from "./companies.ts";
import { ensureCrmData, startCrm } from "./crm/crm-process.ts";

/** What could be started; null: it could not, and the demo goes on with the others. */
export interface DemoSystems {
  billing: BillingAddress | null;
  crm: { url: string; apiKey: string } | null;
  stop(): Promise<void>;
}

/** The names of the systems that could not be started. */
export const failedSystems = ({ billing, crm }: Pick<DemoSystems, "billing" | "crm">): string[] => [
  ...(billing ? [] : ["Billing"]),
  ...(crm ? [] : ["Harbor CRM"]),
];

export interface DemoOptions {
  config: Pick<Config, "home">;
  /** A database in the server that shall hold Billing, as a role that may create databases and roles. */
  adminUrl: string;
  /** Where connectors reach that server. */
  billingAt: { host: string; port: number };
  /** Name of Billing's database and role; tests give their own. */
  database?: string;
  log: Log;
  now: Date;
}

const Kept = z.object({ billingPassword: z.string(), crmKey: z.string(), crmPort: z.number() });

const DATABASE = "accord_demo_billing";

/** Takes some five seconds the first time, well below one afterwards. */
export async function startDemoSystems(options: DemoOptions): Promise<DemoSystems> {
  const { config, adminUrl, billingAt, database = DATABASE, log, now } = options;
  const folder = join(config.home, "demo");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "systems.json");
  const kept = keptSettings(file);
  let views: TwoViews | undefined;
  const made = (): TwoViews => (views ??= makeTwoViews());

  const billing = await unlessItFails("Billing", log, async () => {
    const address = { ...billingAt, database, user: database, password: kept.billingPassword };
    const rows = await ensureBilling(adminUrl, address, () => made().billing, now);
    if (rows) log.info(rows, "the demo's Billing database is filled");
    return address;
  });
  const crm = await unlessItFails("Harbor CRM", log, async () => {
    const journal = join(folder, "crm.jsonl");
    ensureCrmData(journal, () => made().crm, now);
    const running = await startCrm({ journal, apiKey: kept.crmKey, port: kept.crmPort, log });
    try {
      const crmPort = Number(new URL(running.url).port);
      if (crmPort !== kept.crmPort) keep(file, { ...kept, crmPort });
    } catch (error) {
      // Nobody else knows of its process.
      await running.stop();
      throw error;
    }
    return running;
  });
  return {
    billing,
    crm: crm && { url: crm.url, apiKey: kept.crmKey },
    stop: async () => crm?.stop(),
  };
}

/** One system that fails takes no other down. */
async function unlessItFails<System>(system: string, log: Log, start: () => Promise<System>): Promise<System | null> {
  try {
    return await start();
  } catch (error) {
    log.error({ err: error, system }, "a system of the demo could not be started; the demo goes on without it");
    return null;
  }
}

function keptSettings(file: string): z.infer<typeof Kept> {
  if (existsSync(file)) return Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  const fresh = {
    billingPassword: randomBytes(24).toString("base64url"),
    crmKey: randomBytes(24).toString("base64url"),
    crmPort: 0,
  };
  keep(file, fresh);
  return fresh;
}

const keep = (file: string, settings: z.infer<typeof Kept>): void => writeWhole(file, JSON.stringify(settings));

/** Whole or not at all: a start that is killed here must not leave half a file for the next one. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
