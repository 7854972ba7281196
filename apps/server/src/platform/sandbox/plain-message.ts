/** What comes out of a sandbox: lines of JSON, each bounded, of plain data that means nothing but itself. */
import { parseExactJson } from "@accord/contracts/data/exact-json";

/** Deeper data is nobody's record, and costs a stack to walk. */
const MAX_DEPTH = 64;

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

/** One message; throws `MessageError` for whatever is none. */
export function parseMessage(line: Buffer): Message {
  let parsed: unknown;
  try {
    // Numbers to the last digit, as records hold them.
    parsed = parseExactJson(line.toString("utf8"));
  } catch {
    throw new MessageError("sent something that is no message");
  }
  if (!isObject(parsed)) throw new MessageError("sent something that is no message");
  refuseOddData(parsed);
  return parsed;
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
