/** Starts the product in the folder that its argument names, and ends once the pipelines of its demo are in agreement. */
import { setTimeout as pause } from "node:timers/promises";
import { API_PREFIX, CSRF } from "@accord/contracts";
import { z } from "zod";
import { ADMIN } from "./admin.ts";
import { serveHome } from "./serve-home.ts";

/** In milliseconds: on a slow machine, with everything else that runs. */
const LOAD_TIMEOUT = 600_000;
const POLL_MS = 500;

async function loadDemo(home: string): Promise<void> {
  const server = await serveHome(home);
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
  const url = `${address}${API_PREFIX}/authenticate`;
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
    const answer = await fetch(`${address}${API_PREFIX}/pipelines`, { headers: { cookie } });
    const published = Pipelines.parse(await answer.json()).rows.flatMap(({ health }) => health ?? []);
    const left = published.filter(({ state }) => state !== "IN_AGREEMENT");
    if (published.length > 0 && left.length === 0) return;
    if (Date.now() - since > LOAD_TIMEOUT) throw new Error(`the demo was not loaded: ${JSON.stringify(left)}`);
  }
}

const [home] = process.argv.slice(2);
if (home === undefined) throw new Error("Usage: load-demo.ts FOLDER");
await loadDemo(home);
