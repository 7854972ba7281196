/** Which rows a mark calls news, exactly, by the numbers of the transactions that wrote them, on a real PostgreSQL. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { writtenSince, type Mark } from "./mark.ts";

let server: PostgresServer;
let client: pg.Client;
/** Transaction of each row, in the order in which they were written: one more than the one before. */
let numbers: bigint[];

beforeAll(async () => {
  server = await startPostgresServer({ autovacuum: "off" });
  client = await server.client();
  await client.query("CREATE TABLE written (id int)");
  // Each savepoint has a number of its own, right after that of its transaction.
  const savepoints = Array.from({ length: 7 }, (_, index) => `SAVEPOINT s; INSERT INTO written VALUES (${index + 1})`);
  await client.query(`BEGIN; INSERT INTO written VALUES (0); ${savepoints.join("; ")}; COMMIT`);
  const { rows } = await client.query("SELECT xmin::text AS number FROM written ORDER BY id");
  numbers = rows.map(({ number }) => BigInt(number));
}, 60_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

/** Rows that are news since a mark: `next`, and open ranges without their ends, as rows of the table. */
async function news(next: number, open: readonly (readonly [from: number, until: number])[]): Promise<number[]> {
  const numberOf = (row: number): string => String((numbers[0] ?? 0n) + BigInt(row));
  const ranges = open.map(([from, until]): [string, string] => [numberOf(from), numberOf(until)]);
  const mark: Mark = { oid: "", next: numberOf(next), open: ranges, time: "" };
  const values: unknown[] = [];
  const condition = writtenSince(mark, (value) => `$${values.push(value)}`);
  const { rows } = await client.query(`SELECT t.id FROM written t WHERE ${condition} ORDER BY t.id`, values);
  return rows.map(({ id }) => id);
}

test("rows are numbered one after the other", () => {
  expect(numbers.map((number) => number - (numbers[0] ?? 0n))).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n]);
});

test("news are the rows from the mark's next transaction on", async () => {
  expect(await news(8, [])).toEqual([]);
  expect(await news(7, [])).toEqual([7]);
  expect(await news(0, [])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test("and those of transactions that were open then, from the first to the last of each range", async () => {
  expect(await news(8, [[2, 5]])).toEqual([2, 3, 4]);
  expect(await news(8, [[2, 4]])).toEqual([2, 3]);
  expect(await news(8, [[2, 3]])).toEqual([2]);
  expect(await news(7, [[0, 2]])).toEqual([0, 1, 7]);
});

test("of several ranges each counts, however long", async () => {
  const ranges = [
    [0, 2],
    [3, 4],
    [5, 7],
  ] as const;
  expect(await news(8, ranges)).toEqual([0, 1, 3, 5, 6]);
});
