/** Who changed something, as lists show it. */
import type { Ctx } from "../../platform/ctx.ts";

export const authorName = ({ actor }: Ctx): string => `${actor.firstName} ${actor.lastName}`.trim() || actor.email;
