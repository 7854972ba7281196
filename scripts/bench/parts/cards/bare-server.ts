/** A database behind a bare HTTP server: what the cards of the product are measured beside. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Pool } from "../../../../apps/server/src/platform/db/db.ts";
import { peakRssMbOf } from "../../../setup/measurement.ts";
import type { Rows } from "./answers.ts";
import type { CardShop, Size } from "./card-shop.ts";
import type { CardCase } from "./card-cases.ts";
import { serve } from "./serve-rows.ts";

export interface BareServer {
  ask(one: CardCase): Promise<Rows>;
  close(): Promise<void>;
}

const Reply = z.array(z.record(z.string(), z.unknown()));

async function askPort(port: number, statement: string): Promise<Rows> {
  const reply = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: statement });
  if (!reply.ok) throw new Error(await reply.text());
  return Reply.parse(await reply.json()).map((row) => Object.values(row));
}

/** The same rows in a file of DuckDB, in a process of its own with as much memory as the mirror. */
export async function bareDuckDb(
  file: string,
  size: Size,
  memoryMb: number,
): Promise<BareServer & { peakMb(): number }> {
  const words = [file, memoryMb, size.orders, size.customers].map(String);
  const child = fork(fileURLToPath(new URL("bare-duckdb.ts", import.meta.url)), words, {
    execArgv: ["--no-warnings"],
    env: { ...process.env, TZ: "UTC" },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve(z.int().parse(message)));
    child.once("error", reject);
    void ended.then(() => reject(new Error("the process of the bare DuckDB ended")));
  });
  return {
    ask: ({ byHand, inDuckDb }) =>
      askPort(port, statementOn({ orders: "orders", customers: "customers" }, inDuckDb ?? byHand)),
    peakMb: () => peakRssMbOf(child.pid),
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Of the product's own pool and tables, with as much memory for sorting and hashing as its cards have. */
export async function barePostgres(pool: Pool, tables: CardShop["tables"], workMemMb: number): Promise<BareServer> {
  const client = await pool.connect();
  await client.query(`SET work_mem = '${workMemMb}MB'`);
  const server = await serve(async (statement) => (await client.query(statement)).rows);
  return {
    ask: ({ byHand }) => askPort(server.port, statementOn(tables, byHand)),
    async close() {
      await server.close();
      client.release(true);
    },
  };
}

const statementOn = ({ orders, customers }: CardShop["tables"], text: string): string =>
  text.replaceAll("{orders}", orders).replaceAll("{customers}", customers);
