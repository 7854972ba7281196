/** What tests of object storage share: a server, its settings, and connections to it. */
import type { HttpReply, HttpRequest } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames, readToEnd } from "@accord/connector-sdk/test-kit";
import { request as ask } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { S3_BUCKET, startS3Server, type S3Server } from "../../test-systems/s3-server.ts";
import { s3Connector } from "./index.ts";

export const KEY = { accessKeyId: "AKIDREADER", secretAccessKey: "never/to+be=seen" };
export const settingsOf = (server: S3Server, folder = "") => ({
  config: { endpoint: server.url, bucket: S3_BUCKET, folder, pathStyle: true },
  credentials: KEY,
});

/** A server of the whole file, emptied before each test; asked for when a test runs. */
export function serverOfTests(): () => S3Server {
  let server: S3Server | null = null;
  const running = (): S3Server => {
    if (!server) throw new Error("The storage is not running.");
    return server;
  };
  beforeAll(async () => void (server = await startS3Server(KEY)));
  afterAll(() => server?.stop());
  beforeEach(() => {
    const usual = { refuse: () => null, onRead: () => {}, most: 1000, aheadMs: 0, region: "us-east-1", key: KEY };
    Object.assign(running(), usual);
    running().buckets.get(S3_BUCKET)?.clear();
    running().asked.length = 0;
  });
  return running;
}

/** To the server in this process whatever host is meant, the header of that name as it was signed; nothing is unpacked. */
export const sendToServer = (server: S3Server, sent: HttpRequest): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    const { pathname, search } = new URL(sent.url);
    const sending = ask(`${server.url}${pathname}${search}`, { method: sent.method, headers: sent.headers });
    sending.on("error", reject).on("response", (reply) => {
      const headers = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]));
      buffer(reply).then((body) => resolve({ status: reply.statusCode ?? 0, headers, body }), reject);
    });
    sending.end();
  });

type World = Parameters<typeof connectTo>[1]["world"];
export const connectToBucket = (
  server: S3Server,
  config = {},
  { credentials = {}, world = {} }: { credentials?: object; world?: World } = {},
) => {
  const settings = settingsOf(server);
  return connectTo(s3Connector, {
    config: { ...settings.config, ...config },
    world,
    credentials: { ...settings.credentials, ...credentials },
  });
};
type Connection = ReturnType<typeof connectTo>;
export const requestFor = async (connection: Connection, name: string) => {
  const entity = await entityNamed(connection, name);
  return { entity, fields: fieldNames(entity), cursor: null, mode: "changes" as const, pageSize: 100 };
};
export const idsOf = async (connection: Connection, name: string): Promise<string[]> =>
  (await readToEnd(connection, await requestFor(connection, name))).records.map(({ id }) => id);
export async function entitiesOf(connection: Connection): Promise<string[]> {
  const found = [];
  for await (const { entity } of connection.discover({})) found.push(entity.apiName);
  return found;
}
