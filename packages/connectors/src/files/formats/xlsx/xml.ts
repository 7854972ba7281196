/** Reads XML of a workbook as it comes, element by element. */
import { ConnectorError } from "@accord/connector-sdk";
import { Parser } from "htmlparser2";
import { StringDecoder } from "node:string_decoder";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Checkpoint } from "../format.ts";

export interface XmlHandler {
  /** Names without their prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Elements within each other: workbooks have some ten. The parser takes longer for each that is open. */
const MAX_DEPTH = 100;

function xmlParser(handler: XmlHandler): Parser {
  let depth = 0;
  return new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH)
          throw new ConnectorError("configuration", "The workbook can't be read: its XML is nested too deeply.", {
            hint: "Save it anew in a spreadsheet program.",
          });
        handler.open?.(local(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(local(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
}

/** Reads all of a part; other work goes on between its pieces. */
export async function readXml(stream: Readable, handler: XmlHandler, checkpoint?: Checkpoint): Promise<void> {
  for await (const _ of streamXml(stream, handler, checkpoint)) await nextTurn();
}

/** Hands each piece to the parser; between two of them whoever asks may take what was found. */
export async function* streamXml(stream: Readable, handler: XmlHandler, checkpoint?: Checkpoint): AsyncGenerator<void> {
  const parser = xmlParser(handler);
  const decoder = new StringDecoder("utf8");
  for await (const piece of stream) {
    checkpoint?.();
    parser.write(decoder.write(piece));
    yield;
  }
  parser.write(decoder.end());
  parser.end();
  yield;
}

/** `_x000D_` stands for the character of that number. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
