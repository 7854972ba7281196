/** How the library for S3 sends its requests: by the connector's own guarded way out, to the configured storage alone. */
import { ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import { Readable } from "node:stream";
import { endpointOf, type S3Config } from "./config.ts";

/** Lists of a thousand long names, and the pieces that objects are read in, stay far below. */
const MAX_ANSWER_BYTES = 16_000_000;
const SECRET_HEADERS = ["authorization", "x-amz-security-token"];

/** The parts of the library's request that a request for an object or a list has. */
interface SdkRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
}

interface SdkResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Readable;
}

export function guardedHandler(context: Pick<ConnectContext, "send" | "signal">, config: S3Config) {
  const endpoint = endpointOf(config);
  const hosts = new Set([endpoint.hostname, `${config.bucket}.${endpoint.hostname}`]);
  return {
    async handle(request: SdkRequest): Promise<{ response: SdkResponse }> {
      const url = urlOf(request);
      // Some names of buckets lead the library to other services.
      if (!hosts.has(url.hostname) || url.protocol !== endpoint.protocol || url.port !== endpoint.port)
        throw new ConnectorError("configuration", `The bucket ${config.bucket} is not at ${endpoint.host}.`, {
          hint: "Enter the name of an ordinary bucket.",
          neverSent: true,
        });
      const { status, headers, body } = await context.send({
        method: request.method,
        url: url.href,
        headers: request.headers,
        secretHeaders: SECRET_HEADERS,
        timeoutMs: config.answerSeconds * 1000,
        signal: context.signal,
      });
      if (body.byteLength > MAX_ANSWER_BYTES)
        throw new ConnectorError("unexpected", `${url.host} answered more than was asked for.`, {
          hint: "Check Endpoint: this may be no object storage, or one that can't hand out parts of objects.",
        });
      return { response: { statusCode: status, headers, body: Readable.from([body], { objectMode: false }) } };
    },
    updateHttpClientConfig(): void {},
    httpHandlerConfigs: () => ({}),
  };
}

/** Encoded as it was signed. */
function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): URL {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encoded(name)}=${encoded(one ?? "")}`),
  );
  const question = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}${question}`);
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
