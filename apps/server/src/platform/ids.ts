/** Makes ids: 24 hexadecimal characters that sort by time of birth and can't be guessed from a neighbour. */
import { randomBytes } from "node:crypto";
import type { Id, IdKind } from "@accord/contracts";
import type { Clock } from "./clock.ts";

export type NewId = <Kind extends IdKind = IdKind>() => Id<Kind>;

/** Milliseconds in 11 characters last until the year 2527. */
const TIME_CHARACTERS = 11;
const RANDOM_CHARACTERS = 13;
const POOL_BYTES = 7 * 512;

/** The random tail has 52 bits: ids are unique and ordered, but they are not secrets. Use a token for those. */
export function makeNewId(clock: Clock): NewId {
  let pool = "";
  let used = 0;
  const randomTail = (): string => {
    if (used + RANDOM_CHARACTERS > pool.length) {
      pool = randomBytes(POOL_BYTES).toString("hex");
      used = 0;
    }
    used += RANDOM_CHARACTERS;
    return pool.slice(used - RANDOM_CHARACTERS, used);
  };
  return <Kind extends IdKind>() => {
    const time = clock.now().getTime().toString(16).padStart(TIME_CHARACTERS, "0");
    return (time + randomTail()) as Id<Kind>;
  };
}
