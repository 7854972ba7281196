/** The libraries of the connectors used by hand: what a bench compares the connectors with. */
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import mysql, { type RowDataPacket } from "mysql2/promise";
import { Readable } from "node:stream";
import ssh2, { type SFTPWrapper } from "ssh2";
import { S3_BUCKET, type S3Server } from "./s3-server.ts";
import type { MariaDbServer } from "./mariadb-server.ts";
import type { OpenSshServer } from "./openssh-server.ts";

/** Runs statements with values of their own; answers rows. */
export async function bareMySql({ host, port, user, password }: MariaDbServer, database: string) {
  const client = await mysql.createConnection({ host, port, user, password, database });
  return {
    /** Prepared once. */
    execute: async (sql: string, values: (string | number)[] = []) =>
      (await client.execute<RowDataPacket[]>(sql, values))[0],
    query: async (sql: string, values: unknown[] = []) => (await client.query<RowDataPacket[]>(sql, values))[0],
    end: () => client.end(),
  };
}

/** Opens a session, hands over the stream of one file, and ends the session. */
export async function bareSftp<Result>(
  { port, username, privateKey }: OpenSshServer,
  path: string,
  work: (stream: Readable) => Promise<Result>,
): Promise<Result> {
  const client = new ssh2.Client();
  await new Promise<void>((ready, fail) =>
    client.on("ready", ready).on("error", fail).connect({ host: "127.0.0.1", port, username, privateKey }),
  );
  const session = await new Promise<SFTPWrapper>((opened, fail) =>
    client.sftp((error, wrapper) => (error ? fail(error) : opened(wrapper))),
  );
  const stream = session.createReadStream(path);
  const closed = new Promise((done) => stream.once("close", done));
  const result = await work(stream);
  await closed;
  client.end();
  return result;
}

/** Hands over the stream of one object. */
export async function bareS3<Result>(
  { url, region, key }: S3Server,
  name: string,
  work: (stream: Readable) => Promise<Result>,
): Promise<Result> {
  const client = new S3Client({ endpoint: url, region, forcePathStyle: true, credentials: key });
  const { Body } = await client.send(new GetObjectCommand({ Bucket: S3_BUCKET, Key: name }));
  if (!(Body instanceof Readable)) throw new Error("The object came as no stream.");
  const result = await work(Body);
  client.destroy();
  return result;
}
