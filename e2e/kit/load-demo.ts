/** Starts the product in the folder that its argument names, and ends once the pipelines of its demo are in agreement. */
import { setTimeout as pause } from "node:timers/promises";
import { CSRF } from "@accord/contracts";
import { z } from "zod";
import { readConfig } from "../../apps/server/src/config.ts";
import { startServer } from "../../apps/server/src/main.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { ADMIN, freePort } from "./admin.ts";

/** In milliseconds: on a slow machine, with everything else that runs. */
const LOAD_TIMEOUT = 600_000;
const POLL_MS = 500;

async function loadDemo(home: string): Promise<void> {
  const config = readConfig({
    ACCORD_HOME: home,
    PORT: String(await freePort()),
    ACCORD_ADMIN_EMAIL: ADMIN.email,
    ACCORD_ADMIN_PASSWORD: ADMIN.password,
    ACCORD_LOG_LEVEL: "error",
  });
  const server = await startServer(config, { log: makeLog({ logLevel: "error" }) });
  try {
    await untilLoaded(server.address);
  } finally {
    await server.stop();
  }
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

async function signIn(address: string): Promise<string> {
  const url = `${address}/api/v1/authenticate`;
  const cookie = cookiesOf(await fetch(url));
  const token = new RegExp(`${CSRF.cookie}=([^;]+)`).exec(cookie)?.[1] ?? "";
  const body = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
  const answer = await fetch(url, {
    method: "POST",
    headers: { cookie, [CSRF.header]: decodeURIComponent(token) },
    body,
  });
  if (!answer.ok) throw new Error(`the demo's administrator can't sign in: ${await answer.text()}`);
  return cookiesOf(answer);
}

const Pipelines = z.object({
  rows: z.array(z.object({ health: z.object({ state: z.string(), reasons: z.unknown() }).nullable() })),
});

async function untilLoaded(address: string): Promise<void> {
  const cookie = await signIn(address);
  for (const since = Date.now(); ; await pause(POLL_MS)) {
    const answer = await fetch(`${address}/api/v1/pipelines`, { headers: { cookie } });
    const published = Pipelines.parse(await answer.json()).rows.flatMap(({ health }) => health ?? []);
    const left = published.filter(({ state }) => state !== "IN_AGREEMENT");
    if (published.length > 0 && left.length === 0) return;
    if (Date.now() - since > LOAD_TIMEOUT) throw new Error(`the demo was not loaded: ${JSON.stringify(left)}`);
  }
}

const [home] = process.argv.slice(2);
if (home === undefined) throw new Error("Usage: load-demo.ts FOLDER");
await loadDemo(home);
