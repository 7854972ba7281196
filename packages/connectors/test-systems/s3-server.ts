/**
 * Object storage in this process: lists in parts and objects by ranges as Amazon S3 answers them, signatures checked, and its
 * refusals. Packages with such a server are old or take any signature.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { refusalOf, type S3Key, type S3Refusal } from "./s3-signature.ts";

export interface S3Object {
  body: Buffer;
  /** Empty: as storage that has none. */
  etag: string;
  modified: Date;
  encoding?: string;
  /** What reading it is refused with. */
  refusal?: S3Refusal;
}

/** A question as it arrived. */
export interface S3Asked {
  bucket: string;
  /** Empty: the bucket itself. */
  key: string;
  query: URLSearchParams;
  range: string | undefined;
  host: string;
}

export interface S3Server {
  url: string;
  key: S3Key;
  region: string;
  /** By their keys, in buckets by their names. */
  buckets: Map<string, Map<string, S3Object>>;
  asked: S3Asked[];
  /** Most keys and folders in a part of a list. */
  most: number;
  /** How far its clock is ahead. */
  aheadMs: number;
  /** What it answers instead; null: as usual. */
  refuse(asked: S3Asked): S3Refusal | null;
  /** Right before an object is answered. */
  onRead(asked: S3Asked): void;
  put(key: string, text: string | Buffer, more?: Partial<S3Object>): void;
  stop(): Promise<void>;
}

export const S3_BUCKET = "shop";

const ERROR_TYPE = "application/xml";
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
const element = (name: string, text: string | number | boolean): string =>
  `<${name}>${escaped(String(text))}</${name}>`;
/** As S3 encodes keys in lists. */
const inList = (key: string): string => encodeURIComponent(key).replaceAll("%20", "+").replaceAll("%2F", "/");

const NO_BUCKET: S3Refusal = { status: 404, code: "NoSuchBucket", message: "The specified bucket does not exist" };
const NO_KEY: S3Refusal = { status: 404, code: "NoSuchKey", message: "The specified key does not exist." };
const REPLACED: S3Refusal = {
  ...{ status: 412, code: "PreconditionFailed" },
  message: "At least one of the pre-conditions you specified did not hold",
};
const NO_RANGE: S3Refusal = { status: 416, code: "InvalidRange", message: "The requested range is not satisfiable" };

export async function startS3Server(key: S3Key, region = "us-east-1"): Promise<S3Server> {
  const state: S3Server = {
    ...{ url: "", key, region, asked: [], most: 1000, aheadMs: 0 },
    buckets: new Map([[S3_BUCKET, new Map<string, S3Object>()]]),
    refuse: () => null,
    onRead: () => {},
    put(name, text, more = {}) {
      const body = Buffer.from(text);
      const etag = `"${createHash("md5").update(body).digest("hex")}"`;
      // Whole seconds, as S3 has them.
      const modified = new Date(Math.floor(Date.now() / 1000) * 1000);
      state.buckets.get(S3_BUCKET)?.set(name, { body, etag, modified, ...more });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => void answer(state, request, response));
  // On a busy machine a connection would end just when the next question is sent on it.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  state.url = `http://127.0.0.1:${port}`;
  return state;
}

/** The bucket stands in the host or in the path. */
function askedIn({ url = "", headers }: IncomingMessage): S3Asked {
  const [path = "", question = ""] = url.split("?");
  const { host = "", range } = headers;
  const names = path.slice(1).split("/").map(decodeURIComponent);
  const inHost = /^([a-z0-9-]+)\.s3\./.exec(host)?.[1];
  const [bucket = "", ...inside] = inHost === undefined ? names : [inHost, ...names];
  return { bucket, key: inside.join("/"), query: new URLSearchParams(question), range, host };
}

async function answer(state: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  const { method = "", url: target = "", headers } = request;
  const asked = askedIn(request);
  state.asked.push(asked);
  const now = new Date(Date.now() + state.aheadMs);
  response.setHeader("date", now.toUTCString());
  const signed = { method, target, headers, body: Buffer.concat(parts) };
  const refusal = refusalOf(signed, state.key, state.region, now) ?? state.refuse(asked);
  const bucket = state.buckets.get(asked.bucket);
  if (refusal) refuse(response, refusal);
  else if (!bucket) refuse(response, NO_BUCKET);
  else if (asked.key === "") list(state, bucket, asked, response);
  else {
    state.onRead(asked);
    read(bucket.get(asked.key), request, response);
  }
}

function refuse(response: ServerResponse, { status, code, message, more = {}, headers = {} }: S3Refusal): void {
  const inside = Object.entries({ Code: code, Message: message, ...more, RequestId: "4442587FB7D0A2F9" });
  const text = inside.map(([name, value]) => element(name, value)).join("");
  response.writeHead(status, { "content-type": ERROR_TYPE, ...headers });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${text}</Error>`);
}

function list(
  state: S3Server,
  bucket: Map<string, S3Object>,
  { query, bucket: name }: S3Asked,
  response: ServerResponse,
) {
  const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter") ?? ""];
  const isEncoded = query.get("encoding-type") === "url";
  const shown = isEncoded ? inList : (text: string): string => text;
  const after = Buffer.from(query.get("continuation-token") ?? "", "base64url").toString();
  const most = Math.min(state.most, Number(query.get("max-keys") ?? 1000));
  const entries = new Map<string, S3Object | null>();
  for (const [key, object] of [...bucket].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    if (end === -1) entries.set(key, object);
    else entries.set(key.slice(0, end + delimiter.length), null);
  }
  const left = [...entries].filter(([key]) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
  const part = left.slice(0, most);
  const isCut = left.length > part.length;
  const text = part.map(([key, object]) =>
    object
      ? `<Contents>${element("Key", shown(key))}${element("LastModified", object.modified.toISOString())}${object.etag && element("ETag", object.etag)}${element("Size", object.body.length)}${element("StorageClass", "STANDARD")}</Contents>`
      : `<CommonPrefixes>${element("Prefix", shown(key))}</CommonPrefixes>`,
  );
  const head = [
    ...[element("Name", name), element("Prefix", shown(prefix)), element("KeyCount", part.length)],
    ...[element("MaxKeys", most), element("IsTruncated", isCut)],
    ...(isEncoded ? [element("EncodingType", "url")] : []),
    ...(isCut ? [element("NextContinuationToken", Buffer.from(part.at(-1)?.[0] ?? "").toString("base64url"))] : []),
  ];
  response.writeHead(200, { "content-type": ERROR_TYPE });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${[...head, ...text].join("")}</ListBucketResult>`,
  );
}

function read(object: S3Object | undefined, { headers }: IncomingMessage, response: ServerResponse): void {
  if (!object) return refuse(response, NO_KEY);
  if (object.refusal) return refuse(response, object.refusal);
  const { body, etag, modified, encoding } = object;
  const since = headers["if-unmodified-since"];
  const isOther = headers["if-match"] !== undefined && headers["if-match"] !== etag;
  if (isOther || (since !== undefined && modified > new Date(since))) return refuse(response, REPLACED);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  if (first !== undefined && Number(first) >= body.length) return refuse(response, NO_RANGE);
  const from = Number(first ?? 0);
  const to = Math.min(Number(last ?? body.length - 1) + 1, body.length);
  response.writeHead(first === undefined ? 200 : 206, {
    ...(etag && { etag }),
    ...{ "last-modified": modified.toUTCString(), "content-length": to - from },
    ...(first !== undefined && { "content-range": `bytes ${from}-${to - 1}/${body.length}` }),
    ...(encoding !== undefined && { "content-encoding": encoding }),
  });
  response.end(body.subarray(from, to));
}
