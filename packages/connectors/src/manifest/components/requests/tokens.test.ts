/** Whose token is whose: streams share one only where they would ask for the same. */
import { entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { expect, test } from "vitest";
import { world } from "../../../../test-systems/manifest-world.ts";

const stream = (name: string, authenticator: string): string => `
  - type: DeclarativeStream
    name: ${name}
    primary_key: id
    $parameters: { who: ${name} }
    schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: integer } } } }
    retriever:
      record_selector: { extractor: { field_path: [] } }
      requester:
        url_base: https://api.example.com
        path: ${name}
        authenticator: ${authenticator}`;

test("sign-ins whose parameters differ have tokens of their own, those that are alike share one", async () => {
  const oauth = (id: string): string =>
    `{ type: OAuthAuthenticator, token_refresh_endpoint: https://api.example.com/token, grant_type: client_credentials, client_id: "${id}", client_secret: s }`;
  const read = async (id: string): Promise<string[]> => {
    const manifest = `streams:${stream("one", oauth(id))}${stream("two", oauth(id))}`;
    const { connection, sent } = world(manifest, (url, { body }) =>
      url.pathname === "/token"
        ? { access_token: `token of ${new URLSearchParams(String(body)).get("client_id")}`, expires_in: 600 }
        : [{ id: 1 }],
    );
    for (const name of ["one", "two"])
      await readToEnd(connection, { entity: await entityNamed(connection, name), cursor: null, pageSize: 10 });
    return sent.map(({ url, headers }) => `${new URL(url).pathname} ${headers["authorization"] ?? ""}`.trim());
  };
  expect(await read("{{ parameters.who }}")).toEqual([
    "/token",
    "/one Bearer token of one",
    "/token",
    "/two Bearer token of two",
  ]);
  expect(await read("me")).toEqual(["/token", "/one Bearer token of me", "/two Bearer token of me"]);
});

test("a session is known by where its token stands", async () => {
  const session = (path: string): string =>
    `{ type: SessionTokenAuthenticator, session_token_path: [${path}], login_requester: { url_base: https://api.example.com, path: login, http_method: POST }, request_authentication: { type: Bearer } }`;
  const manifest = `streams:${stream("one", session("a"))}${stream("two", session("b"))}`.replaceAll(
    / +\$parameters.*\n/g,
    "",
  );
  const { connection, sent } = world(manifest, (url) =>
    url.pathname === "/login" ? { a: "ta", b: "tb" } : [{ id: 1 }],
  );
  for (const name of ["one", "two"])
    await readToEnd(connection, { entity: await entityNamed(connection, name), cursor: null, pageSize: 10 });
  expect(sent.flatMap(({ headers }) => headers["authorization"] ?? [])).toEqual(["Bearer ta", "Bearer tb"]);
});
