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
  let pool = Buffer.alloc(0);
  let used = 0;
  const random = (bytes: 3 | 6): number => {
    if (used + bytes > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += bytes;
    return pool.readUIntBE(used - bytes, bytes);
  };
  let time = 0;
  let tail = 0;
  return <Kind extends IdKind>() => {
    const now = clock.now().getTime();
    if (now === time && tail + 2 ** 24 < TAILS) tail += 1 + random(3);
    else tail = random(6) * 8;
    time = now;
    return (time.toString(16).padStart(TIME_CHARACTERS, "0") +
      tail.toString(16).padStart(TAIL_CHARACTERS, "0")) as Id<Kind>;
  };
}
