/** The embedded PostgreSQL of a home in which a server runs: how a second process reaches its databases. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

const Running = z.object({ server: z.string(), port: z.number() });

/** Address of a database of the server that runs in this home. */
export function runningPostgresUrl(home: string, database: string): string {
  const { server, port } = Running.parse(JSON.parse(readFileSync(join(resolve(home), "postgres.json"), "utf8")));
  const url = new URL(`postgres://127.0.0.1:${port}/${database}`);
  url.username = "accord";
  url.password = server;
  return url.href;
}
