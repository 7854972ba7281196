/** For whom a card is answered. */
import { createHash } from "node:crypto";
import type { Permission } from "@accord/contracts";
import type { Ctx } from "../../../platform/ctx.ts";
import { type QueryCaller, queryCaller } from "../engine/index.ts";

/** For whom a card is answered, and whose answers may be shared: the latter for the key of the cache. */
export interface CardViewer {
  principal: string;
  permissionVersion: string;
  caller: QueryCaller;
}

/** People with the same rights see the same data and share answers; other rights, other answers. */
export const cardViewer = (ctx: Pick<Ctx, "permissions" | "actor" | "exchange">): CardViewer =>
  viewerWith(ctx.permissions, queryCaller(ctx));

/** Somebody with these permissions, on whose behalf something else asks. */
export function viewerWith(permissions: ReadonlySet<Permission>, caller: QueryCaller): CardViewer {
  const rights = [...permissions].toSorted().join(" ");
  const permissionVersion = createHash("sha256").update(rights).digest("base64url");
  return { principal: "staff", permissionVersion, caller };
}
