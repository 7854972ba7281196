/** What is shown of requests that a connection makes: no credential, whole or in part, wherever a body is cut. */
import type { ConnectContext } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { recordExchanges } from "./record-exchanges.ts";

const SECRET = "secret-that-is-learned-later";
const contextAnswering = (text: string): ConnectContext => ({
  ...{ config: {}, authType: "none", credentials: {}, signal: new AbortController().signal },
  send: async () => ({ status: 200, headers: {}, body: new TextEncoder().encode(text) }),
  resolveHost: async (host, port) => ({ address: host, port }),
  resolveFolder: async (path) => path,
  now: () => new Date(),
  sleep: async () => {},
  log: () => {},
});
const shownOf = async (text: string) => {
  const masking = { hidden: "•••", mask: (body: string) => body.replaceAll(SECRET, "•••") };
  const { context, recorded } = recordExchanges(contextAnswering(text), masking);
  await context.send({ method: "GET", url: "https://example.com/", headers: {}, timeoutMs: 1_000 });
  return recorded().exchanges[0]?.answer;
};

test("[PLT-131] a credential at the end of what is shown is masked as a whole", async () => {
  const body = `${"x".repeat(19_990)}${SECRET}${"y".repeat(100)}`;
  expect(await shownOf(body)).toMatchObject({ body: `${"x".repeat(19_990)}•••${"y".repeat(7)}`, isShortened: true });
  expect(await shownOf(`${SECRET}.`)).toMatchObject({ body: "•••.", isShortened: false });
});

test("[PLT-131] where masking shortens an answer of which a part is kept, no part of a credential is at its end", async () => {
  const shown = await shownOf(SECRET.repeat(10_000));
  expect(shown?.isShortened).toBe(true);
  expect(shown?.body.replaceAll("•••", "")).toBe("");
});
