/** The demo that a fresh Accord shows: outside systems beside the server, and what connects them inside. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { id, type Id } from "@accord/contracts";
import { z } from "zod";
import type { Config } from "../config.ts";
import { filesFolderOf } from "../modules/connections/connectors/index.ts";
import { nameFromAddress, type Installation } from "../modules/identity/first-start.ts";
import type { Actor } from "../platform/ctx.ts";
import type { Databases } from "../platform/db/open.ts";
import type { Deps } from "../platform/deps.ts";
import type { Log } from "../platform/log/log.ts";
import { ensureDemoConnectors, repointDemoConnectors, type DemoConnectors } from "./connectors.ts";
import { ensureFlightFiles } from "./files.ts";
import { failedSystems, startDemoSystems, writeWhole, type DemoSystems } from "./systems.ts";

export { failedSystems, type DemoSystems } from "./systems.ts";
export type { DemoConnectors } from "./connectors.ts";

/** What each step of making the demo gets. */
export interface DemoPlace {
  instanceId: Id<"instance">;
  organisationId: Id<"organisation">;
  /** The administrator of the first start, in whose name everything is made. */
  actor: Actor;
  connectors: DemoConnectors;
  systems: DemoSystems;
}

/** One more part of the demo, made once, in order. A step that was interrupted is run again: it must bear that. */
export interface DemoStep {
  name: string;
  make(place: DemoPlace): Promise<void>;
}

/** Only an installation that began with the demo has it. */
export const hasDemo = (config: Config, { demo }: Pick<Installation, "demo">): boolean =>
  config.demo && (demo || existsSync(stateFile(config)));

/** Outside systems: started before the server, so that it finds them. null (and a word in the log) when that fails. */
export async function openDemoSystems(config: Config, databases: Databases, log: Log): Promise<DemoSystems | null> {
  try {
    const { embedded } = databases;
    const external = config.databaseUrl ? new URL(config.databaseUrl) : null;
    const adminUrl = embedded?.url("postgres") ?? external?.href ?? "";
    const billingAt = embedded?.loopback ?? {
      host: external?.hostname ?? "localhost",
      port: Number(external?.port || 5432),
    };
    return await startDemoSystems({ config, adminUrl, billingAt, log, now: new Date() });
  } catch (error) {
    log.error({ err: error }, "the demo's systems could not be started; Accord works without them");
    return null;
  }
}

const State = z.object({
  instanceId: id("instance"),
  organisationId: id("organisation"),
  adminId: id("user"),
  email: z.string(),
  done: z.array(z.string()),
});
type State = z.output<typeof State>;

const stateFile = (config: Pick<Config, "home">): string => join(config.home, "demo", "state.json");

interface InstalledDemo {
  systems: DemoSystems;
  installation: Installation;
  connectors: Parameters<typeof ensureDemoConnectors>[0];
}

/**
 * Gives the demo's connectors the present addresses of its systems, before any work begins: at the former ones nobody may
 * be asked any more, and each system would count as failing at first.
 */
export async function repointDemo(deps: Deps, { systems, installation, connectors }: InstalledDemo): Promise<void> {
  const { config, log, outbound } = deps;
  try {
    if (systems.billing) outbound.allow(`${systems.billing.host}:${systems.billing.port}`);
    if (systems.crm) outbound.allow(new URL(systems.crm.url).host);
    await repointDemoConnectors(connectors, readState(config, installation).instanceId, systems);
  } catch (error) {
    log.error({ err: error }, "the demo's connections could not get the present addresses of its systems");
  }
}

/**
 * Makes what is missing of the demo, through the same use cases people use. Steps that are done stay done, so that what
 * somebody deleted does not come back. Never throws: a demo that fails is told in the log.
 */
export async function makeDemo(deps: Deps, options: InstalledDemo & { steps: readonly DemoStep[] }): Promise<void> {
  const { config, log } = deps;
  const { systems, installation } = options;
  try {
    const state = readState(config, installation);
    const { instanceId, organisationId } = state;
    await ensureFlightFiles(filesFolderOf(config, instanceId), config.filesRoot);
    const actor: Actor = {
      userId: state.adminId,
      email: state.email,
      ...nameFromAddress(state.email),
      sessionId: "demo",
    };
    const connectors = await ensureDemoConnectors(options.connectors, { instanceId, actor }, systems, {
      wasMade: (name) => state.done.includes("connectors") || state.done.includes(`connector ${name}`),
      made: (name) => markDone(config, state, `connector ${name}`),
    });
    const { billing, crm, flights } = connectors;
    if (!billing || !crm || !flights) {
      const missing = failedSystems(systems);
      // Somebody may have deleted a connection of a demo that was complete.
      const isWaiting = options.steps.some(({ name }) => !state.done.includes(name));
      if (missing.length > 0 && isWaiting)
        log.warn({ missing }, "parts of the demo need a system that could not be started; the next start makes them");
      return;
    }
    for (const step of options.steps.filter(({ name }) => !state.done.includes(name))) {
      const began = performance.now();
      await step.make({ instanceId, organisationId, actor, connectors: { billing, crm, flights }, systems });
      markDone(config, state, step.name);
      log.info({ step: step.name, ms: Math.round(performance.now() - began) }, "a part of the demo is made");
    }
  } catch (error) {
    log.error({ err: error }, "the demo could not be made completely; it is tried again at the next start");
  }
}

function readState(config: Config, installation: Installation): State {
  const file = stateFile(config);
  if (existsSync(file)) return State.parse(JSON.parse(readFileSync(file, "utf8")));
  const { instanceId, organisationId, adminId, email } = installation;
  const state: State = { instanceId, organisationId, adminId, email, done: [] };
  keepState(config, state);
  return state;
}

function markDone(config: Config, state: State, step: string): void {
  if (state.done.includes(step)) return;
  state.done.push(step);
  keepState(config, state);
}

function keepState(config: Config, state: State): void {
  mkdirSync(join(config.home, "demo"), { recursive: true, mode: 0o700 });
  writeWhole(stateFile(config), JSON.stringify(state));
}
