/** What object storage refuses, as people read it; and where its connector connects to, with what. */
import type { HttpReply, HttpRequest } from "@accord/connector-sdk";
import { connectTo } from "@accord/connector-sdk/test-kit";
import { describe, expect, test } from "vitest";
import { S3_BUCKET } from "../../test-systems/s3-server.ts";
import { connectToBucket, idsOf, KEY, sendToServer, serverOfTests } from "./bucket.fixtures.ts";
import { S3Config } from "./config.ts";
import { guardedHandler } from "./handler.ts";
import { s3Connector } from "./index.ts";

const server = serverOfTests();
const connect = (config = {}, more: Parameters<typeof connectToBucket>[2] = {}) =>
  connectToBucket(server(), config, more);
type Connection = ReturnType<typeof connect>;
describe("what storage refuses says which input to change", () => {
  const refusalOf = async (connection: Connection): Promise<unknown> => {
    const error = await connection.check().catch((caught: unknown) => caught);
    await connection.close();
    return error;
  };

  test("an unknown access key", async () => {
    expect(await refusalOf(connect({}, { credentials: { accessKeyId: "AKIDNOBODY" } }))).toMatchObject({
      kind: "authentication",
      message: expect.stringContaining("does not know this access key ID"),
    });
  });
  test("a secret that is not that of the key", async () => {
    const error = await refusalOf(connect({}, { credentials: { secretAccessKey: "mistyped" } }));
    expect(error).toMatchObject({ kind: "authentication", message: expect.stringContaining("secret access key") });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/mistyped|[0-9a-f]{64}/);
  });
  test("a session token: needed, taken, and ended", async () => {
    server().put("a.csv", "id\n1\n");
    server().key = { ...KEY, sessionToken: "given for an hour" };
    expect(await refusalOf(connect())).toMatchObject({
      kind: "authentication",
      hint: expect.stringContaining("session token"),
    });
    expect(await refusalOf(connect({}, { credentials: { sessionToken: "given for an hour" } }))).toBeUndefined();
  });
  test("a region that is not the bucket's, in the three ways that servers say it", async () => {
    const expected = {
      kind: "configuration",
      message: `The bucket ${S3_BUCKET} is in eu-west-3, not in us-east-1.`,
      hint: "Enter eu-west-3 as Region.",
    };
    server().region = "eu-west-3";
    expect(await refusalOf(connect())).toMatchObject(expected);
    server().region = "us-east-1";
    const moved = { status: 301, code: "PermanentRedirect", message: "The bucket you are attempting to access…" };
    server().refuse = () => ({ ...moved, headers: { "x-amz-bucket-region": "eu-west-3" } });
    expect(await refusalOf(connect())).toMatchObject(expected);
    server().refuse = () => ({ ...moved, more: { Endpoint: "shop.s3.example.com" } });
    expect(await refusalOf(connect())).toMatchObject({
      kind: "configuration",
      hint: expect.stringContaining("Region"),
    });
  });
  test("a bucket that is not there, and one without files", async () => {
    expect(await refusalOf(connect({ bucket: "shops" }))).toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("There is no bucket shops"),
    });
    expect(await refusalOf(connect())).toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("There are no CSV, JSON Lines or XLSX files in the bucket shop on 127.0.0.1"),
    });
  });
  test("a missing permission to list", async () => {
    server().refuse = () => ({ status: 403, code: "AccessDenied", message: "Access Denied" });
    expect(await refusalOf(connect())).toMatchObject({
      kind: "permission",
      hint: expect.stringContaining("s3:ListBucket"),
    });
  });
  test("a clock that is wrong, each time anew", async () => {
    server().aheadMs = 20 * 60_000;
    const connection = connect();
    for (const _ of [1, 2])
      await expect(connection.check()).rejects.toMatchObject({
        kind: "configuration",
        hint: expect.stringContaining("clock"),
      });
    await connection.close();
  });
  test("too many questions, asked once", async () => {
    server().refuse = () => ({ status: 503, code: "SlowDown", message: "Please reduce your request rate." });
    expect(await refusalOf(connect())).toMatchObject({ kind: "rateLimited", retryable: true });
    expect(server().asked).toHaveLength(1);
  });
  test("an address of something else", async () => {
    const page = { status: 200, headers: { "content-type": "text/html" }, body: Buffer.from("<html>Welcome</html>") };
    for (const status of [200, 404]) {
      const error = await refusalOf(connect({}, { world: { send: async () => ({ ...page, status }) } }));
      expect(error).toMatchObject({ name: "ConnectorError", message: expect.any(String), hint: expect.any(String) });
    }
  });
});

describe("where it connects and with what", () => {
  test("the bucket stands in the host at AWS, and all its regions are one destination", async () => {
    server().region = "eu-west-3";
    server().put("a.csv", "id\n1\n");
    const config = { bucket: S3_BUCKET, region: "eu-west-3" };
    const asked: string[] = [];
    const send = (sent: HttpRequest) => {
      asked.push(new URL(sent.url).host);
      return sendToServer(server(), sent);
    };
    const connection = connectTo(s3Connector, { config, credentials: KEY, world: { send } });
    expect(await idsOf(connection, "a")).toEqual(["1"]);
    await connection.close();
    expect(new Set(asked)).toEqual(new Set(["shop.s3.eu-west-3.amazonaws.com"]));
    expect(s3Connector.hosts(config)).toContain("shop.s3.eu-west-3.amazonaws.com:443");
    expect(s3Connector.destinations(config)).toEqual(s3Connector.destinations({ ...config, region: "us-west-2" }));
    expect(s3Connector.destinations({ ...config, endpoint: "https://storage.example.com" })).toEqual([
      "https://storage.example.com",
    ]);
  });

  test("nothing is taken from the environment of the server", async () => {
    const hostile = {
      ...{ AWS_ACCESS_KEY_ID: "AKIDOPERATOR", AWS_SECRET_ACCESS_KEY: "operator", AWS_SESSION_TOKEN: "operator" },
      ...{ AWS_REGION: "ap-south-1", AWS_PROFILE: "operator", AWS_CONFIG_FILE: "/nonexistent/config" },
      ...{ AWS_ENDPOINT_URL: "http://127.0.0.1:9", AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9", AWS_MAX_ATTEMPTS: "9" },
      ...{ AWS_USE_FIPS_ENDPOINT: "true", AWS_USE_DUALSTACK_ENDPOINT: "true", AWS_AUTH_SCHEME_PREFERENCE: "sigv4a" },
    };
    const before = { ...process.env };
    Object.assign(process.env, hostile);
    try {
      server().put("a.csv", "id\n1\n");
      const connection = connect();
      await connection.check();
      await connection.close();
      const none = connect({}, { credentials: { accessKeyId: "", secretAccessKey: "" } });
      await expect(none.check()).rejects.toMatchObject({ name: "ConnectorError", kind: "authentication" });
      await none.close();
    } finally {
      for (const name of Object.keys(hostile)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test("whatever the name of a bucket makes the library do, nothing leaves for another server", async () => {
    const asked: string[] = [];
    const send = async (sent: HttpRequest): Promise<HttpReply> => {
      asked.push(new URL(sent.url).hostname);
      return { status: 500, headers: {}, body: Buffer.from("") };
    };
    for (const bucket of ["shop--use1-az4--x-s3", "shop--op-s3", "shop-s3alias", "shop.with.points"]) {
      const settings = { config: { bucket, region: "us-east-1" }, credentials: KEY };
      const connection = connectTo(s3Connector, { ...settings, world: { send } });
      await expect(connection.check()).rejects.toMatchObject({ name: "ConnectorError" });
      await connection.close();
    }
    for (const host of asked) expect(host).toMatch(/^([a-z0-9-]+\.)?s3\.us-east-1\.amazonaws\.com$/);
  });

  test("nor does the library's request reach another host, port or protocol than those of the storage", async () => {
    const config = S3Config.parse({ bucket: S3_BUCKET, endpoint: "https://storage.example.com:9000" });
    const left: string[] = [];
    const send = async ({ url }: HttpRequest): Promise<HttpReply> => {
      left.push(url);
      return { status: 200, headers: {}, body: new Uint8Array() };
    };
    const { handle } = guardedHandler({ send, signal: new AbortController().signal }, config);
    const right = { protocol: "https:", hostname: "storage.example.com", port: 9000 };
    for (const wrong of [{ hostname: "evil.example.com" }, { port: 443 }, { protocol: "http:" }]) {
      const sent = { method: "GET", path: "/", headers: {}, ...right, ...wrong };
      await expect(handle(sent)).rejects.toMatchObject({ kind: "configuration", neverSent: true });
    }
    expect(left).toEqual([]);
  });

  test.each([
    [{ endpoint: "storage.example.com" }, "endpoint"],
    [{ endpoint: "https://user:word@storage.example.com" }, "endpoint"],
    [{ endpoint: "ftp://storage.example.com" }, "endpoint"],
    [{ region: "evil.example.com/" }, "region"],
    [{ bucket: "" }, "bucket"],
    [{ bucket: "a/b" }, "bucket"],
    [{ bucket: "arn:aws:s3:us-east-1:1:accesspoint/x" }, "bucket"],
    [{ folder: "in/../out" }, "folder"],
  ])("%j is refused before anything is stored", (config, path) => {
    expect(s3Connector.problems({ bucket: S3_BUCKET, ...config })).toMatchObject([{ path }]);
  });
});
