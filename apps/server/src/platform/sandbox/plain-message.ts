/** What comes out of a sandbox: lines of JSON, each bounded, of plain data that means nothing but itself. */
import { parseExactJson } from "@accord/contracts/data/exact-json";

/** Deeper data is nobody's record, and costs a stack to walk. */
const MAX_DEPTH = 64;
/** Reading each costs the server a microsecond and more, however few bytes it has. */
const MAX_PARTS = 200_000;

export class MessageError extends Error {
  override readonly name = "MessageError";
}

export type Message = { readonly [name: string]: unknown };

/** Cuts bytes into lines. Throws `MessageError` where one is longer than `maxBytes`. */
export function lineReader(maxBytes: number): (chunk: Buffer) => Buffer[] {
  let kept: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    const lines: Buffer[] = [];
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      if (size + end > maxBytes) throw new MessageError("sent a message that is too long");
      lines.push(Buffer.concat([...kept, rest.subarray(0, end)]));
      kept = [];
      size = 0;
      rest = rest.subarray(end + 1);
    }
    size += rest.length;
    if (size > maxBytes) throw new MessageError("sent a message that is too long");
    if (rest.length > 0) kept.push(rest);
    return lines;
  };
}

const byteOf = (sign: string): number => sign.charCodeAt(0);
const QUOTE = byteOf('"');
const BACKSLASH = byteOf("\\");
const isSeparator = new Uint8Array(256);
for (const sign of ",:[{ \t\r") isSeparator[byteOf(sign)] = 1;

/**
 * How much there is to read in a line, found without reading it: what stands between the texts that separates parts.
 * Throws `MessageError` for more than a message may have.
 */
function partsOf(line: Buffer): number {
  let parts = 0;
  let texts = 0;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at] ?? 0;
    if (byte === QUOTE) {
      texts += 1;
      // Each text stands behind a separator: else it is no JSON, of as many parts as it likes.
      if (texts > parts) throw new MessageError("sent something that is no message");
      for (at += 1; at < line.length && line[at] !== QUOTE; at += 1) if (line[at] === BACKSLASH) at += 1;
    } else if (isSeparator[byte] === 1) {
      parts += 1;
      if (parts > MAX_PARTS)
        throw new MessageError(`sent something that is no message: it has more than ${MAX_PARTS} parts`);
    }
  }
  return parts;
}

/** One message, and how many parts it has; throws `MessageError` for whatever is none. */
export function parseMessage(line: Buffer): { message: Message; parts: number } {
  const parts = partsOf(line);
  let parsed: unknown;
  try {
    // Numbers to the last digit, as records hold them.
    parsed = parseExactJson(line.toString("utf8"));
  } catch {
    throw new MessageError("sent something that is no message");
  }
  if (!isObject(parsed)) throw new MessageError("sent something that is no message");
  refuseOddData(parsed);
  return { message: parsed, parts };
}

const isObject = (data: unknown): data is { [name: string]: unknown } =>
  typeof data === "object" && data !== null && !Array.isArray(data);

/** `__proto__` as a name of a member becomes a prototype as soon as somebody copies it carelessly. */
function refuseOddData(data: object): void {
  const open: { value: object; depth: number }[] = [{ value: data, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) throw new MessageError(`sent data of more than ${MAX_DEPTH} levels`);
    if (Object.hasOwn(value, "__proto__")) throw new MessageError("sent data with a member __proto__");
    for (const item of Object.values(value)) {
      if (typeof item === "object" && item !== null) open.push({ value: item, depth: depth + 1 });
    }
  }
}
