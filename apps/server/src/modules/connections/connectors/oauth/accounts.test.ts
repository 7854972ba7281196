/** What the log says where a system names no account. */
import type { AccountSource } from "@accord/connector-sdk";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeLog } from "../../../../platform/log/log.ts";
import { outbound as guarded } from "../../../../platform/outbound/guard.ts";
import { accountOf } from "./accounts.ts";

const PRIVATE = "Ada Lovelace";
const coded = (text: string) => Buffer.from(text).toString("base64url");

test.each([
  ["a page in place of JSON", `<p>${PRIVATE}</p>`, null],
  ["JSON that ends early", `{"name": "${PRIVATE}", `, null],
  ["an id token that is no JSON", "", `${coded("{}")}.${coded(`${PRIVATE} <`)}.x`],
  ["an id token of another issuer", "", `${coded("{}")}.${coded(JSON.stringify({ iss: PRIVATE }))}.x`],
])("%s stands in no log", async (_, answered, idToken) => {
  const server = createServer((__, response) => response.end(answered));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const outbound = guarded({ allow: ["127.0.0.1"] });
  onTestFinished(async () => {
    await outbound.close();
    await new Promise((resolve) => server.close(resolve));
  });
  let lines = "";
  const log = makeLog({ logLevel: "info", destination: { write: (line: string) => void (lines += line) } });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/me`;
  const call: AccountSource = { from: "call", url, headers: {}, idSelector: "id", nameSelector: null };
  const settings = {
    ...{
      authorizationUrl: url,
      tokenUrl: url,
      clientId: "c",
      clientSecret: null,
      clientAuthentication: "body" as const,
    },
    ...{ scope: "openid", parameters: {}, issuer: null, pkce: true, tokenRequestFormat: "form" as const },
    ...{ instanceMember: null, errorCodes: {}, account: idToken === null ? call : ({ from: "idToken" } as const) },
  };
  const evidence = { accessToken: "secret", instance: null, answer: {}, idToken, nonce: "n" };
  expect(await accountOf({ outbound, log }, settings, evidence)).toBeNull();
  expect(lines).toContain("the account of a sign-in is not known");
  for (const part of PRIVATE.split(" ")) expect(lines).not.toContain(part);
});
