/** Two real systems for stories through the API: a shop and a CRM, each a schema of PostgreSQL behind its own connector. */
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import * as connectors from "@accord/contracts/connections/connectors";
import type { Id } from "@accord/contracts";
import type { TestApp } from "../test-app.ts";
import { makeActive } from "./active-connector.ts";

export interface TwoSystems {
  shop: Id<"connector">;
  crm: Id<"connector">;
  /** SQL in the systems' own database. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Host and port at which they are. */
  address: string;
  close(): void;
}

/** Makes the tables by `tables` (SQL with the schemas shop and crm there) and activates a connector for each schema. */
export async function twoSystems(t: TestApp, tables: string): Promise<TwoSystems> {
  const sql: TwoSystems["sql"] = async (text, values) => (await t.deps.dataPool.query(text, values)).rows;
  await sql("CREATE SCHEMA shop; CREATE SCHEMA crm");
  await sql(tables);
  const url = t.deps.dataPool.options.connectionString ?? "";
  const door = await doorTo(url);
  const port = (door.address() as AddressInfo).port;
  t.deps.outbound.allow(`127.0.0.1:${port}`);
  const [shop, crm] = [
    await activate(t, { url, port }, "Shop", "shop"),
    await activate(t, { url, port }, "CRM", "crm"),
  ];
  return { shop, crm, sql, address: `127.0.0.1:${port}`, close: () => void door.close() };
}

/** The tests' PostgreSQL listens on a socket of the file system; systems have addresses. */
async function doorTo(url: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const path = `${decodeURIComponent(hostname)}/.s.PGSQL.${port || 5432}`;
  const door = createServer((outside) => {
    const inside = connect(path);
    outside.pipe(inside).pipe(outside);
    outside.on("error", () => inside.destroy());
    inside.on("error", () => outside.destroy());
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return door;
}

interface Address {
  url: string;
  port: number;
}

async function activate(t: TestApp, { url, port }: Address, name: string, schema: string): Promise<Id<"connector">> {
  const manager = t.as("SYNC_MANAGER");
  const { pathname, username, password } = new URL(url);
  const { id } = await manager.call(connectors.createConnector, {
    body: {
      name,
      typeId: "postgres",
      authType: "userPassword",
      credentials: { username, password: decodeURIComponent(password) },
      config: { host: "127.0.0.1", port, database: pathname.slice(1), schemas: schema, encryption: "none" },
    },
  });
  await makeActive(manager, id, name);
  return id;
}
