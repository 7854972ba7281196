/**
 * Questions to a bucket: pages of its list and parts of its objects. The library signs them and reads the answers; it is
 * loaded when the first is asked. Nothing of this machine is taken for it: no environment, profile or metadata of a cloud.
 */
import { ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import type * as Sdk from "@aws-sdk/client-s3";
import { endpointOf, type S3Config } from "./config.ts";
import { classifyRefusal, type Asked } from "./errors.ts";
import { guardedHandler } from "./handler.ts";

const KEYS_IN_A_PAGE = 1000;
/** Of bytes as they were stored. */
const PLAIN = /^(identity|aws-chunked)?$/i;

export interface StoredObject {
  key: string;
  size: number;
  etag: string | undefined;
  /** Milliseconds; 0 where the list says none. */
  modified: number;
}

export interface ListPart {
  objects: StoredObject[];
  /** Each with the slash at its end. */
  folders: string[];
  /** Of the next part; null after the last. */
  next: string | null;
}

interface Range {
  from: number;
  to: number;
}

export interface Storage {
  /** As messages name it: `s3.eu-central-1.amazonaws.com`. */
  place: string;
  list(request: { prefix: string; isOneLevel: boolean; token: string | null }): Promise<ListPart>;
  /** Bytes of the version that was listed, `to` not among them. `name`: as messages call it. */
  read(object: StoredObject, name: string, range: Range): Promise<Buffer>;
  close(): void;
}

/** The library, loaded. */
interface Loaded {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

export function openStorage(context: ConnectContext, config: S3Config): Storage {
  const place = endpointOf(config).host;
  let loaded: Promise<Loaded> | null = null;
  const load = (): Promise<Loaded> =>
    (loaded ??= import("@aws-sdk/client-s3").then((sdk) => ({ sdk, client: clientOf(sdk, context, config) })));

  const ask = async <Answer>(
    about: Pick<Asked, "object">,
    question: (given: Loaded) => Promise<Answer>,
  ): Promise<Answer> => {
    context.signal.throwIfAborted();
    try {
      return await question(await load());
    } catch (error) {
      context.signal.throwIfAborted();
      throw classifyRefusal(error, { config, place, ...about });
    }
  };

  return {
    place,
    list: (request) => ask({}, (given) => listPart(given, config.bucket, place, request)),
    read: (object, name, range) =>
      ask({ object: name }, async (given) => {
        const bytes = await readPart(given, config.bucket, object, name, range);
        if (bytes) return bytes;
        throw new ConnectorError("unexpected", `${place} answered another part of ${name} than was asked for.`);
      }),
    close: () => void loaded?.then(({ client }) => client.destroy()).catch(() => {}),
  };
}

async function listPart(
  { sdk, client }: Loaded,
  bucket: string,
  place: string,
  { prefix, isOneLevel, token }: Parameters<Storage["list"]>[0],
): Promise<ListPart> {
  const answer = await client.send(
    new sdk.ListObjectsV2Command({
      Bucket: bucket,
      Prefix: prefix,
      MaxKeys: KEYS_IN_A_PAGE,
      // Not every letter of a key can stand in XML.
      EncodingType: "url",
      ...(isOneLevel && { Delimiter: "/" }),
      ...(token !== null && { ContinuationToken: token }),
    }),
  );
  const { Name, KeyCount, IsTruncated, NextContinuationToken: next = null } = answer;
  // Storage of the first version of lists goes on in another way: the rest would be missing without a word.
  if ((Name === undefined && KeyCount === undefined) || (IsTruncated && next === null)) throw noStorage(place);
  const read = (text = ""): string => (answer.EncodingType === "url" ? decoded(text, place) : text);
  return {
    objects: (answer.Contents ?? []).map(({ Key, Size = 0, ETag, LastModified }) => ({
      key: read(Key),
      size: Size,
      etag: ETag || undefined,
      modified: LastModified?.getTime() || 0,
    })),
    folders: (answer.CommonPrefixes ?? []).map(({ Prefix }) => read(Prefix)),
    next: IsTruncated ? next : null,
  };
}

/** null: other bytes came than were asked for. */
async function readPart(
  { sdk, client }: Loaded,
  bucket: string,
  { key, etag, modified }: StoredObject,
  name: string,
  { from, to }: Range,
): Promise<Buffer | null> {
  const answer = await client.send(
    new sdk.GetObjectCommand({
      Bucket: bucket,
      Key: key,
      Range: `bytes=${from}-${to - 1}`,
      ...(etag !== undefined && { IfMatch: etag }),
      ...(etag === undefined && modified > 0 && { IfUnmodifiedSince: new Date(modified) }),
    }),
  );
  const { ContentEncoding = "", ContentRange } = answer;
  if (!PLAIN.test(ContentEncoding))
    throw new ConnectorError("configuration", `${name} is stored compressed (${ContentEncoding.slice(0, 40)}).`, {
      hint: "Store it as it is, without a Content-Encoding.",
    });
  const bytes = Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
  // Storage that knows no parts answers the whole object.
  const part = ContentRange === undefined ? bytes.subarray(from, to) : bytes;
  const isRight = ContentRange === undefined || ContentRange.startsWith(`bytes ${from}-`);
  return isRight && part.length === to - from ? part : null;
}

function clientOf(sdk: typeof Sdk, context: ConnectContext, config: S3Config): Sdk.S3Client {
  const { accessKeyId = "", secretAccessKey = "", sessionToken = "" } = context.credentials;
  // Without a key of the connection's own the library would look for one elsewhere.
  if (accessKeyId === "" || secretAccessKey === "")
    throw new ConnectorError("authentication", "No access key was entered.", {
      hint: "Enter the access key ID and the secret access key.",
      neverSent: true,
    });
  return new sdk.S3Client({
    endpoint: endpointOf(config).href,
    region: config.region,
    forcePathStyle: config.pathStyle,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== "" && { sessionToken }) },
    requestHandler: guardedHandler(context, config),
    // The engine tries again, after the wait that was asked for.
    maxAttempts: 1,
    retryMode: "standard",
    followRegionRedirects: false,
    // A server that names a time could have requests signed for another one.
    disableClockSkewCorrection: true,
    // Not every storage knows checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // What is left out is looked for in the environment and in files.
    defaultsMode: "standard",
    authSchemePreference: [],
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    sigv4aSigningRegionSet: [],
    useArnRegion: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: "Accord",
  });
}

function decoded(text: string, place: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) throw noStorage(place);
    throw error;
  }
}

/** Some other server answers there. */
export const noStorage = (place: string): ConnectorError =>
  new ConnectorError("unexpected", `${place} does not answer like object storage.`, {
    hint: "Check Endpoint, and whether the bucket is to be named in the path.",
  });
