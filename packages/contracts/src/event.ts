/** Messages the server pushes over the message stream. */
import type { z } from "zod";
import type { Permission } from "./access/permissions.ts";

export interface EventSpec<Payload extends z.ZodType = z.ZodType> {
  /** Name on the wire. */
  name: string;
  /** Who receives it: everybody working in the instance, or one user. */
  channel: "instance" | "user";
  /** Who of them may hear it: whoever may read what it is about. */
  access: Permission | "signedIn";
  payload: Payload;
}

/** Declares a pushed message; the browser parses it with `payload` and refreshes what it concerns. */
export function event<Payload extends z.ZodType>(spec: EventSpec<Payload>): Readonly<EventSpec<Payload>> {
  return Object.freeze(spec);
}
