/** What a system repeats of a credential is masked, however it is written there; other words stay. */
import { CONNECTORS, httpConnector } from "@accord/connectors";
import { type AuthMethod, ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { CREDENTIAL_MASK as MASK, CredentialMask } from "./credential-mask.ts";
import { maskedConnection } from "./masked-connection.ts";

const methods = httpConnector.authMethods;
const maskOf = (credentials: Record<string, string>): CredentialMask => new CredentialMask(methods, credentials);
const KEY = 'k/9+a b="z"&ü';

test.each([
  ["as it is", KEY],
  ["in JSON", JSON.stringify({ key: KEY }).slice(8, -2)],
  ["in an address", encodeURIComponent(KEY)],
  ["in an address with small letters", encodeURIComponent(KEY).replace(/%../g, (hex) => hex.toLowerCase())],
  ["in a form", new URLSearchParams({ a: KEY }).toString().slice(2)],
  ["on a page", 'k/9+a b="z"&amp;ü'],
  ["in base64", Buffer.from(KEY).toString("base64")],
  ["in base64 for addresses", Buffer.from(KEY).toString("base64url")],
])("a key that is repeated %s is masked", (_, repeated) => {
  expect(maskOf({ apiKey: KEY }).text(`The key ${repeated} has expired.`)).toBe(`The key ${MASK} has expired.`);
});

test("user and password of a header are masked, the user's name alone is not", () => {
  const mask = maskOf({ username: "reader", password: "correct horse" });
  const header = Buffer.from("reader:correct horse").toString("base64");
  expect(mask.text(`reader sent Basic ${header}, that is reader:correct horse`)).toBe(
    `reader sent Basic ${MASK}, that is reader:${MASK}`,
  );
});

test("secrets that are entered together as JSON are masked one by one", () => {
  const secrets = JSON.stringify({ api_key: KEY, sign_in: { password: "correct horse", tries: 3, pin: 918273 } });
  const mask = new CredentialMask(
    [{ type: "apiSecretKey", label: "Secrets", fields: [{ name: "secrets", label: "Secrets", secret: true }] }],
    { secrets },
  );
  expect(mask.text(`${encodeURIComponent(KEY)} and "correct horse", 918273, not 3`)).toBe(
    `${MASK} and "${MASK}", ${MASK}, not 3`,
  );
});

test("a long key that was cut off is masked as well", () => {
  const mask = maskOf({ apiKey: "0123456789abcdefghij" });
  expect(mask.text("The key 0123456789abcdef… is unknown, 0123456 is not its beginning")).toBe(
    `The key ${MASK}… is unknown, 0123456 is not its beginning`,
  );
});

test("a very short password is masked where it stands as a value, and in no word", () => {
  const mask = maskOf({ username: "me", password: "a.b" });
  expect(mask.text('"a.b" refused, password=a.b, http://me:a.b@host, a.bc and aXb of a.b')).toBe(
    `"${MASK}" refused, password=${MASK}, http://me:${MASK}@host, a.bc and aXb of a.b`,
  );
});

test("an error keeps its kind and all else; its message, hint, causes and stacks are masked", () => {
  const mask = maskOf({ apiKey: "secret-key-1" });
  const cause = Object.assign(new Error("sent secret-key-1"), { code: "28P01" });
  const options = { hint: "Replace secret-key-1.", retryAfterMs: 7, neverSent: true, isFieldGone: true, cause };
  const masked = mask.connectorError(new ConnectorError("authentication", "secret-key-1 has expired", options));
  expect(masked).toMatchObject({
    kind: "authentication",
    message: `${MASK} has expired`,
    hint: `Replace ${MASK}.`,
    retryAfterMs: 7,
    neverSent: true,
    isFieldGone: true,
    cause: { message: `sent ${MASK}`, code: "28P01" },
  });
  expect(masked.stack).toContain(MASK);
  expect([masked.stack, (masked.cause as Error).stack].join()).not.toContain("secret-key-1");
  const other = new ConnectorError("timeout", "It took too long.");
  expect(mask.error(other)).toBe(other);
});

test("what writing and reading say of records is masked, the records are not", async () => {
  const inner = {
    ...httpConnector.connect({
      config: { baseUrl: "http://127.0.0.1:1" },
      authType: "none",
    } as unknown as ConnectContext),
    read: async () => ({
      records: [
        { id: "1", values: { name: "secret-key-1" }, badFields: [{ field: "x", message: "secret-key-1 is no date" }] },
      ],
      bad: [{ place: "line 1", message: "no record: secret-key-1", excerpt: "secret-key-1" }],
      warnings: [{ code: "odd", message: "key secret-key-1 ends soon" }],
      cursor: null,
      drained: true,
    }),
    write: async () => [{ status: "retry" as const, message: "secret-key-1 waits" }, { status: "missing" as const }],
  };
  const connection = maskedConnection(inner, maskOf({ apiKey: "secret-key-1" }));
  expect(await connection.read({} as never)).toMatchObject({
    records: [{ values: { name: "secret-key-1" }, badFields: [{ message: `${MASK} is no date` }] }],
    bad: [{ message: `no record: ${MASK}`, excerpt: MASK }],
    warnings: [{ message: `key ${MASK} ends soon` }],
  });
  expect(await connection.write?.({} as never)).toEqual([
    { status: "retry", message: `${MASK} waits` },
    { status: "missing" },
  ]);
});

test("a subscription that breaks off names no credential", async () => {
  let breaks = (_: ConnectorError): void => {};
  const inner = {
    ...httpConnector.connect({
      config: { baseUrl: "http://127.0.0.1:1" },
      authType: "none",
    } as unknown as ConnectContext),
    subscribe: async ({ onBroken }: { onBroken: (error: ConnectorError) => void }) => {
      breaks = onBroken;
      return async () => {};
    },
  };
  const connection = maskedConnection(inner, maskOf({ apiKey: "secret-key-1" }));
  const messages: string[] = [];
  const onBroken = (error: ConnectorError): void => void messages.push(error.message);
  await connection.subscribe?.({ entities: [], onChange: () => {}, onBroken });
  breaks(new ConnectorError("unavailable", "secret-key-1 was withdrawn"));
  expect(messages).toEqual([`${MASK} was withdrawn`]);
});

test("every secret input of every connector is masked", () => {
  for (const { type, authMethods } of CONNECTORS) {
    for (const { fields } of authMethods) {
      const credentials = Object.fromEntries(
        fields.map(({ name, secret }) => [name, `${secret ? "hidden" : "open"}-${name}`]),
      );
      const text = new CredentialMask(authMethods as AuthMethod[], credentials).text(JSON.stringify(credentials));
      expect(text, type).not.toContain("hidden-");
    }
  }
});

test("of a key file only what is secret is masked: messages name the account that a key belongs to", () => {
  const file = JSON.stringify({ client_email: "sync@example.com", private_key: KEY, host: "googleapis.com" });
  const fields = [{ name: "file", label: "Key file", secret: true }];
  const mask = new CredentialMask(
    [{ type: "privateKey", label: "Key", readableMembers: ["client_email", "host"], fields }],
    { file },
  );
  expect(mask.text(`Share it with sync@example.com at googleapis.com, not with ${KEY} or ${file}`)).toBe(
    `Share it with sync@example.com at googleapis.com, not with ${MASK} or ${MASK}`,
  );
});
