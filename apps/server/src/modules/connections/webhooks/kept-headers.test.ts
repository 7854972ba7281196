/** Which values of headers the log shows. */
import { expect, test } from "vitest";
import { keptHeaders } from "./kept-headers.ts";

const headers = { "content-type": "application/json", "x-shop-topic": "orders", "x-copy-event": "it is s3cret" };

test("a user's name hides no header, a password does", () => {
  const proof = { authType: "userPassword", credentials: { user: "json", password: "s3cret" }, config: {} };
  expect(keptHeaders(headers, proof)).toEqual([
    ["content-type", "application/json"],
    ["x-shop-topic", "orders"],
    ["x-copy-event", null],
  ]);
});

test("the header that is looked at for a proof is not shown, even where what it holds is wrong", () => {
  const credentials = { key: "right" };
  const proof = {
    authType: "apiKey",
    credentials,
    config: { apiKeyHeader: " X-Shop-Topic", signatureHeader: "x-copy-event" },
  };
  expect(keptHeaders(headers, proof)).toEqual([
    ["content-type", "application/json"],
    ["x-shop-topic", null],
    ["x-copy-event", null],
  ]);
});
