/** Lists of products that answer whatever they like, over real HTTP. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { EXTERNAL_VIEW_LIMITS as LIMITS } from "@accord/contracts/insights/external-view";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "../../../platform/http/app-error.ts";
import { CallerGoneError } from "../../../platform/http/request/caller-gone.ts";
import { type ClosableOutbound, outbound } from "../../../platform/outbound/guard.ts";
import { fetchDataset, fetchItems, fetchRows, type ListCall } from "./list-client.ts";

let answer: (response: ServerResponse) => void;
const server = createServer((_, response) => answer(response));
let origin = "";
let out: ClosableOutbound;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  out = outbound({ allow: [`127.0.0.1:${port}`] });
});
afterAll(async () => {
  await out.close();
  server.closeAllConnections();
  server.close();
});

const callWith = (signal = new AbortController().signal): ListCall => ({
  ...{ outbound: out, system: "Lighthouse", listAddress: `${origin}/api`, token: "a.b.c", signal },
  inTurn: (call) => call(),
});
const serve = (text: string): void => {
  answer = (response) => void response.end(text);
};
const failed = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const MANY = Array.from({ length: 900_000 }, () => "1").join(",");

test.each([
  ["items", `{"items":[${MANY}]}`, () => fetchItems(callWith(), "datasets"), "items.0"],
  ["columns", `{"id":"a","name":"A","columns":[${MANY}]}`, () => fetchDataset(callWith(), "a"), "columns.0"],
  ["rows", `{"columns":[],"rows":[${MANY}]}`, () => fetchRows(callWith(), "a"), "rows.0"],
])("a million wrong %s are one problem, which is logged in few words", async (_, text, fetchThem, place) => {
  serve(text);
  const error = await failed(fetchThem());
  if (!(error instanceof AppError)) throw error;
  expect([error.code, String(error.facts["reason"])]).toEqual([
    "access_error",
    expect.stringContaining(`at: ${place}`),
  ]);
  expect(String(Object(error.cause).stack).length).toBeLessThan(3_000);
  expect(Object.keys(Object(error.cause))).toEqual([]);
});

test("what is beyond the limits is not looked at, and said to be there", async () => {
  const column = { name: "a" };
  const cells = Array.from({ length: LIMITS.columns + 200 }, () => ({ deep: [1] }));
  const rows = [...Array.from({ length: LIMITS.rows + 1 }, () => cells), "no row"];
  serve(JSON.stringify({ columns: [...Array.from({ length: LIMITS.columns + 1 }, () => column), "none"], rows }));
  const shown = await fetchRows(callWith(), "a");
  expect([shown.columns.length, shown.rows.length, shown.isCut]).toEqual([LIMITS.columns, LIMITS.rows, true]);
  expect(shown.rows[0]).toHaveLength(LIMITS.columns);
});

test("who leaves while the product answers is the reason, not a failure", async () => {
  const caller = new AbortController();
  answer = () => caller.abort(new CallerGoneError());
  expect(await failed(fetchItems(callWith(caller.signal), "datasets"))).toBeInstanceOf(CallerGoneError);
});
