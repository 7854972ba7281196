/** Makes ids: 24 hexadecimal characters that sort by time of birth and can't be guessed from a neighbour. */
import { randomBytes } from "node:crypto";
import type { Id, IdKind } from "@accord/contracts";
import type { Clock } from "./clock.ts";

export type NewId = <Kind extends IdKind = IdKind>() => Id<Kind>;

/** Milliseconds in 11 characters last until the year 2527. */
const TIME_CHARACTERS = 11;
const TAIL_CHARACTERS = 13;
const TAILS = 2 ** (4 * TAIL_CHARACTERS);
/** Random bytes fetched at a time: asking for few at a time is what costs. */
const POOL_BYTES = 6 * 512;

/**
 * Ids of one process are in the order they were made in, also within a millisecond: the first has a random tail of 47
 * bits, each further one lies a random step of up to 24 bits behind it. They are unique, but they are not secrets: use
 * a token for those.
 */
export function makeNewId(clock: Clock): NewId {
  const random = randomNumbers();
  let time = -1;
  let tail = 0;
  let headHigh = -1;
  // Ids of one page share nearly all of their characters, and a text made at once leaves no pieces behind.
  const codes: number[] = [];
  return <Kind extends IdKind>() => {
    const now = clock.now().getTime();
    if (now === time && tail + 2 ** 24 < TAILS) tail += 1 + random(3);
    else tail = random(6) * 8;
    const high = Math.floor(tail / LOW);
    if (now !== time || high !== headHigh) {
      writeHex(codes, 0, TIME_CHARACTERS, now);
      writeHex(codes, TIME_CHARACTERS, TAIL_CHARACTERS - LOW_CHARACTERS, high);
      headHigh = high;
    }
    time = now;
    const low = tail - high * LOW;
    for (let index = 0; index < LOW_CHARACTERS; index += 1) {
      codes[HEAD_CHARACTERS + index] = DIGITS.charCodeAt((low >>> (4 * (LOW_CHARACTERS - 1 - index))) & 15);
    }
    return String.fromCharCode.apply(null, codes) as Id<Kind>;
  };
}

const DIGITS = "0123456789abcdef";

function writeHex(codes: number[], at: number, characters: number, value: number): void {
  const text = value.toString(16).padStart(characters, "0");
  for (let index = 0; index < characters; index += 1) codes[at + index] = text.charCodeAt(index);
}

/** The last six characters change from id to id. */
const LOW_CHARACTERS = 6;
const LOW = 2 ** (4 * LOW_CHARACTERS);
const HEAD_CHARACTERS = TIME_CHARACTERS + TAIL_CHARACTERS - LOW_CHARACTERS;

/** Numbers of so many random bytes. */
function randomNumbers(): (bytes: 3 | 6) => number {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (bytes) => {
    if (used + bytes > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += bytes;
    return pool.readUIntBE(used - bytes, bytes);
  };
}
