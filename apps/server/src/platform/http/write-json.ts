/** Writes large answers as JSON a slice at a time, so that other calls are answered in between. */
import { setImmediate as nextRunAt } from "node:timers/promises";

/** Items of a list that are written at once. */
const SLICE = 25;
/** Time after which others get their turn. */
const MAX_TURN_MS = 10;
/** Objects around a list that are looked into; what lies deeper is written as a whole. */
const MAX_DEPTH = 4;

/** The value is larger than it may be. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** Pieces that are together what `JSON.stringify` gives: one for all but large answers. Throws `TooLargeError`. */
export async function writeJson(value: unknown, maxBytes: number): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = "";
  let bytes = 0;
  let turnBegan = performance.now();
  const flush = (): void => {
    const piece = Buffer.from(text);
    bytes += piece.length;
    if (bytes > maxBytes) throw new TooLargeError(`more than ${maxBytes} bytes`);
    pieces.push(piece);
    text = "";
  };
  for (const part of partsOf(value, 0)) {
    text += part;
    if (text.length > maxBytes) throw new TooLargeError(`more than ${maxBytes} bytes`);
    if (performance.now() - turnBegan < MAX_TURN_MS) continue;
    flush();
    await nextRunAt();
    turnBegan = performance.now();
  }
  if (text !== "" || pieces.length === 0) flush();
  return pieces;
}

function* partsOf(value: unknown, depth: number): Generator<string> {
  if (Array.isArray(value) && value.length > SLICE) {
    for (let start = 0; start < value.length; start += SLICE)
      yield `${start === 0 ? "[" : ","}${JSON.stringify(value.slice(start, start + SLICE)).slice(1, -1)}`;
    yield "]";
  } else if (depth < MAX_DEPTH && isPlainObject(value)) {
    let between = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
      yield `${between}${JSON.stringify(name)}:`;
      yield* partsOf(member, depth + 1);
      between = ",";
    }
    yield between === "{" ? "{}" : "}";
  } else yield JSON.stringify(value) ?? "null";
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !("toJSON" in value);
