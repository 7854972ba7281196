/** Streams of one manifest, whose requests are answered by a function of the test. */
import type { HttpReply, HttpRequest } from "@accord/connector-sdk";
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import type { Value, Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { manifestConnector } from "../src/manifest/index.ts";

/** JSON to answer, bytes, or a whole answer with its status. */
type Reply = unknown;
const Whole = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});

interface Parts {
  requester?: string;
  retriever?: string;
  stream?: string;
  field_path?: string;
  selector?: string;
  properties?: string;
}
export const manifestOf = ({
  requester = "",
  retriever = "",
  stream = "",
  field_path = "[]",
  selector = "",
  properties,
}: Parts): string => `
streams:
  - type: DeclarativeStream
    name: things
    primary_key: id
    ${properties === undefined ? "" : `schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: integer }, ${properties} } } }`}
${stream.replace(/^/gm, "    ")}
    retriever:
      type: SimpleRetriever
${retriever.replace(/^/gm, "      ")}
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: ${field_path} }
${selector.replace(/^/gm, "        ")}
      requester:
        type: HttpRequester
        url_base: https://api.example.com
        path: things
${requester.replace(/^/gm, "        ")}
`;

const NOW = new Date("2024-03-10T12:00:00Z");
const bytesOf = (reply: Reply): HttpReply => {
  if (reply instanceof Uint8Array) return { status: 200, headers: {}, body: reply };
  const { status, headers, body } = Whole.catch({ status: 200, body: reply }).parse(reply);
  const text = typeof body === "string" ? body : JSON.stringify(body ?? null);
  return { status, headers: headers ?? {}, body: new TextEncoder().encode(text) };
};

/** A connection whose requests are answered by a function; all of them are kept. `late`: milliseconds behind its start. */
export function world(
  manifest: string,
  answer: (url: URL, request: HttpRequest) => Reply,
  secrets: Values = {},
  late: () => number = () => 0,
) {
  const sent: HttpRequest[] = [];
  const send = async (request: HttpRequest): Promise<HttpReply> => {
    sent.push(request);
    return bytesOf(answer(new URL(request.url), request));
  };
  const connection = connectTo(manifestConnector, {
    config: { manifest, inputs: "" },
    authType: "apiSecretKey",
    credentials: { secrets: JSON.stringify(secrets) },
    world: { send, now: () => new Date(NOW.getTime() + late()) },
  });
  const read = async (): Promise<Values[]> => {
    const entity = await entityNamed(connection, "things");
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
    return records.map(({ values }) => values);
  };
  return { sent, read, connection };
}
export const paths = (sent: readonly HttpRequest[]): string[] =>
  sent.map(({ url }) => url.replace("https://api.example.com", ""));
export const ids = (records: readonly Values[]): Value[] => records.map((record) => record["id"] ?? null);
export const NAME = "name: { type: string }";
