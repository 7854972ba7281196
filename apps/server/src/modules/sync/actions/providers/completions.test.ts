/** Questions to a language model over real HTTP, whose asker leaves. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CallerGoneError } from "../../../../platform/http/request/caller-gone.ts";
import { outbound } from "../../../../platform/outbound/guard.ts";
import { complete } from "./completions.ts";

test("who leaves while the model answers is the reason, not a failure", async () => {
  const caller = new AbortController();
  const server = createServer(() => caller.abort(new CallerGoneError()));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const out = outbound({ allow: [`127.0.0.1:${port}`] });
  onTestFinished(async () => {
    await out.close();
    server.closeAllConnections();
    server.close();
  });
  const model = { endpoint: `http://127.0.0.1:${port}`, model: "m", credential: {}, host: "h" };
  const schema = { name: "a", json: {} };
  const request = { system: "", user: "", schema, maxTokens: 1, maxBytes: 1_000, timeoutMs: 5_000 };
  await expect(complete(out, model, { ...request, signal: caller.signal })).rejects.toBeInstanceOf(CallerGoneError);
});
