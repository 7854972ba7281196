/** Who changed something, as lists show it. */
import type { Caller } from "../../platform/ctx.ts";

export const authorName = ({ actor }: Pick<Caller, "actor">): string =>
  `${actor.firstName} ${actor.lastName}`.trim() || actor.email;
