/** The demo's Billing database as a person connects it, and a client on it for what a test breaks and repairs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";

export interface DemoBilling {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  client: pg.Client;
}

const NAME = "accord_demo_billing";
const read = <Shape extends z.ZodType>(shape: Shape, ...path: string[]): z.output<Shape> =>
  shape.parse(JSON.parse(readFileSync(join(...path), "utf8")));

/** Of a server with the demo in this data folder; the caller ends the client. */
export async function openDemoBilling(home: string): Promise<DemoBilling> {
  const { port } = read(z.object({ port: z.number() }), home, "postgres.json");
  const { billingPassword } = read(z.object({ billingPassword: z.string() }), home, "demo", "systems.json");
  const address = { host: "127.0.0.1", port, database: NAME, user: NAME, password: billingPassword };
  const client = new pg.Client(address);
  await client.connect();
  return { ...address, client };
}
