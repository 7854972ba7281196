/** Time zones as people name them: `Europe/Vienna`. */
import { z } from "zod";

export const TimeZone = z.string().max(60).refine(isTimeZone, "must be a time zone such as Europe/Vienna");

/** By name alone: offsets such as `+05:30` mean opposite things to JavaScript and PostgreSQL. */
function isTimeZone(name: string): boolean {
  try {
    return (
      /^[A-Za-z]/.test(name) &&
      new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone.length > 0
    );
  } catch {
    return false;
  }
}
