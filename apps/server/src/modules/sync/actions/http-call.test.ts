/** When a request of an action is sent again: only where it surely did nothing, or may be done twice. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type ClosableOutbound, outbound } from "../../../platform/outbound/guard.ts";
import type { HttpWork } from "@accord/sync-engine/actions";
import { callHttp } from "./http-call.ts";

let server: Server;
let out: ClosableOutbound;
let status = 500;
let received = 0;
let retryAfter = "0.01";

beforeAll(async () => {
  server = createServer((_, response) => {
    received += 1;
    response.writeHead(status, { "retry-after": retryAfter }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  out = outbound({ allow: ["127.0.0.1"] });
});
afterAll(async () => {
  await out.close();
  await new Promise((resolve) => server.close(resolve));
});

const workOf = ({ method, isRepeatable }: Pick<HttpWork, "method" | "isRepeatable">): HttpWork => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return { kind: "http", url, method, headers: {}, body: "{}", timeoutMs: 5_000, retries: 2, isRepeatable };
};

test.each([
  { method: "POST", answer: 500, isRepeatable: false, sent: 1, isOutcomeKnown: false },
  { method: "POST", answer: 502, isRepeatable: false, sent: 1, isOutcomeKnown: false },
  { method: "POST", answer: 500, isRepeatable: true, sent: 3, isOutcomeKnown: false },
  { method: "PUT", answer: 500, isRepeatable: false, sent: 3, isOutcomeKnown: false },
  { method: "POST", answer: 503, isRepeatable: false, sent: 3, isOutcomeKnown: true },
  { method: "POST", answer: 422, isRepeatable: false, sent: 1, isOutcomeKnown: true },
] as const)("$method answered $answer, repeatable $isRepeatable, is sent $sent times", async (given) => {
  status = given.answer;
  received = 0;
  const attempt = await callHttp(out, workOf(given), "one");
  expect(received).toBe(given.sent);
  expect(attempt.isOutcomeKnown).toBe(given.isOutcomeKnown);
});

test("a pause before the next try ends with the leave to send", async () => {
  [status, received, retryAfter] = [503, 0, "15"];
  let isPauseOver = false;
  const pause = setTimeout(() => (isPauseOver = true), 15_000);
  onTestFinished(() => clearTimeout(pause));
  const permit = { assertMaySend: () => {}, signal: AbortSignal.timeout(500) };
  const attempt = await callHttp(out, workOf({ method: "POST", isRepeatable: true }), "one", permit);
  expect([attempt.outcome.code, received]).toEqual(["http_aborted", 1]);
  expect(isPauseOver, "the pause that was asked for would go on").toBe(false);
});
