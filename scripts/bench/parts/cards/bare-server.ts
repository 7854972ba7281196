/** A database behind an HTTP server with as little around it as can be: what the cards of the product are measured beside. */
import { createServer } from "node:http";
import type { Pool } from "../../../../apps/server/src/platform/db/db.ts";
import { openRawDuckDb } from "../../../../apps/server/test-kit/mirror/raw-duckdb.ts";
import { type CardShop, customersSql, ordersSql, type Size } from "./card-shop.ts";
import type { CardCase } from "./card-cases.ts";

export interface BareServer {
  ask(one: CardCase): Promise<void>;
  close(): Promise<void>;
}

/** Asked by SQL in the body; answers its rows as JSON. */
async function serve(rowsOf: (statement: string) => Promise<unknown[]>) {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      response.end(JSON.stringify(await rowsOf(Buffer.concat(chunks).toString())));
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    async ask(statement: string): Promise<void> {
      const reply = await fetch(`http://127.0.0.1:${address.port}`, { method: "POST", body: statement });
      if (!reply.ok) throw new Error(await reply.text());
      await reply.json();
    },
    close: (): Promise<void> => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The same rows in a file of DuckDB. */
export async function bareDuckDb(file: string, size: Size): Promise<BareServer> {
  const database = await openRawDuckDb(file);
  await database.run(
    `CREATE TABLE customers AS SELECT *, false AS accord_deleted FROM (${customersSql("hex(i)", size.customers)})
     AS c(accord_id, "name", "country")`,
  );
  await database.run(
    `CREATE TABLE orders AS SELECT * FROM (${ordersSql("hex", size)})
     AS o(accord_id, accord_deleted, "customer", "status", "channel", "amount", "pieces", "placedAt")`,
  );
  const server = await serve((statement) => database.rows(statement));
  return {
    ask: ({ byHand, inDuckDb }) =>
      server.ask(statementOn({ orders: "orders", customers: "customers" }, inDuckDb ?? byHand)),
    async close() {
      await server.close();
      database.close();
    },
  };
}

/** Of the product's own pool and tables, with as much memory for sorting and hashing as its cards have. */
export async function barePostgres(pool: Pool, tables: CardShop["tables"], workMemMb: number): Promise<BareServer> {
  const client = await pool.connect();
  await client.query(`SET work_mem = '${workMemMb}MB'`);
  const server = await serve(async (statement) => (await client.query(statement)).rows);
  return {
    ask: ({ byHand }) => server.ask(statementOn(tables, byHand)),
    async close() {
      await server.close();
      client.release(true);
    },
  };
}

const statementOn = ({ orders, customers }: CardShop["tables"], text: string): string =>
  text.replaceAll("{orders}", orders).replaceAll("{customers}", customers);
