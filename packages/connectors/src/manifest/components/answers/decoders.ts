/** What the bodies of answers are: JSON, lines of JSON, CSV, and any of them compressed. */
import { ConnectorError } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import { gunzipSync } from "node:zlib";
import { defineComponent, optional, Part, Text, type Component } from "../component.ts";
import type { BadPart, Decoder, RawAnswer } from "../model.ts";
import { parseCsv } from "./csv.ts";
import { jsonIn, textIn } from "./json.ts";

/** Bytes that a compressed answer may hold. */
const MAX_UNPACKED_BYTES = 50_000_000;
/** Characters shown of a line that can't be read. */
const EXCERPT = 300;

/** A list at the root holds bodies of its own. */
export const STANDARD_DECODER: Decoder = {
  decode(answer) {
    const json = jsonIn(answer);
    return Array.isArray(json) ? json : [json ?? {}];
  },
};

export const DECODERS: readonly Component<"decoder">[] = [
  defineComponent({ type: "JsonDecoder", family: "decoder", options: {}, make: () => STANDARD_DECODER }),
  defineComponent({
    type: "JsonlDecoder",
    family: "decoder",
    options: {},
    make: () => ({ decode: linesOf }),
  }),
  defineComponent({
    type: "CsvDecoder",
    family: "decoder",
    options: { delimiter: optional(Text), encoding: optional(Text) },
    refuses: ["set_values_to_none"],
    make({ delimiter, encoding }, build) {
      const mark = delimiter === "\\t" ? "\t" : (delimiter ?? ",");
      if (mark.length !== 1) throw build.problem("the delimiter of CsvDecoder must be one character");
      const reader = decoderOf(encoding ?? "utf-8");
      if (!reader) throw build.problem(`the encoding ${encoding ?? ""} of CsvDecoder is not known`);
      return { decode: ({ body }, onBad) => parseCsv(reader.decode(body), mark, onBad) };
    },
  }),
  defineComponent({
    type: "GzipDecoder",
    family: "decoder",
    options: { decoder: Part },
    slots: { decoder: {} },
    make({ decoder }, build) {
      const inner = build.make("decoder", decoder);
      return { decode: (answer, onBad) => inner.decode({ ...answer, body: unpacked(answer) }, onBad) };
    },
  }),
];

/** One torn line costs that line; an answer of which no line can be read is none of this kind. */
function linesOf(answer: RawAnswer, onBad?: (bad: BadPart) => void): Value[] {
  const torn: BadPart[] = [];
  const lines = textIn(answer).split("\n");
  const values = lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      return [parseExactJson(line)];
    } catch {
      const message = `Line ${index + 1} of the answer of ${answer.place} is not JSON.`;
      torn.push({ message, excerpt: line.slice(0, EXCERPT) });
      return [];
    }
  });
  const [first] = torn;
  if (first && (!onBad || values.length === 0)) throw new ConnectorError("unexpected", first.message);
  for (const bad of torn) onBad?.(bad);
  return values;
}

function decoderOf(encoding: string): TextDecoder | null {
  try {
    return new TextDecoder(encoding.replaceAll("_", "-"));
  } catch {
    return null;
  }
}

/** Bytes that are not compressed stay as they are: many servers unpack on the way. */
function unpacked({ body, place }: RawAnswer): Uint8Array {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw new ConnectorError("unexpected", `${place} answered compressed bytes that are torn or too large.`, {
      cause: error,
    });
  }
}
