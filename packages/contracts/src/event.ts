/** Messages the server pushes over the message stream. */
import type { z } from "zod";

export interface EventSpec<Payload extends z.ZodType = z.ZodType> {
  /** Name on the wire. */
  name: string;
  /** Who receives it: everybody working in the instance, or one user. */
  channel: "instance" | "user";
  payload: Payload;
}

/** Declares a pushed message; the browser parses it with `payload` and refreshes what it concerns. */
export function event<Payload extends z.ZodType>(spec: EventSpec<Payload>): Readonly<EventSpec<Payload>> {
  return Object.freeze(spec);
}
