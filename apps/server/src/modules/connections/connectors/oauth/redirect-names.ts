/** The redirect address of a connection as it is stored, and what is known of those that share one. */
import type { Id } from "@accord/contracts";
import type { Db } from "../../../../platform/db/db.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { typeOf } from "../connector-view.ts";
import type { StoredConnector } from "../connectors.store.ts";
import { isCustomType } from "../synapse-types.ts";
import { findGrant } from "./grants.store.ts";
import { saveRedirect } from "./redirects.store.ts";
import { isMoved, isShared, newRedirectName, redirectOriginsOf, sharedOrigins, type Shared } from "./redirect-url.ts";
import { ADDRESS_CHANGED, NEW_ADDRESS } from "./sign-in-problems.ts";

/** null: it is known where the connection signs in. */
export async function sharedOf(
  db: Db,
  at: Id<"instance">,
  row: Pick<StoredConnector, "id" | "type" | "redirect_name" | "redirect_origins">,
): Promise<Shared | null> {
  if (!isShared(row)) return null;
  const grant = await findGrant(db, { at, connectorId: row.id });
  return { grant: grant?.binding ?? null, isCustom: isCustomType(row.type) };
}

/**
 * A custom synapse may sign in elsewhere since another version of it is published: then the former system knows the address,
 * and a new one takes its place before anybody is sent there.
 */
export async function redirectNameOf(db: Db, at: Id<"instance">, row: StoredConnector): Promise<string | null> {
  const origins = redirectOriginsOf(typeOf(row), row.config, row.auth_type);
  const shared = await sharedOf(db, at, row);
  const isOther = isMoved(shared ? sharedOrigins(shared, origins) : row.redirect_origins, origins);
  const name = isOther ? newRedirectName() : row.redirect_name;
  if (isOther || row.redirect_origins === null) {
    const isSaved = await saveRedirect(db, at, row.id, { name, origins, former: row.redirect_name });
    if (!isSaved) throw new AppError("invalid_state", { reason: ADDRESS_CHANGED });
  }
  if (isOther) throw new AppError("invalid_state", { reason: NEW_ADDRESS });
  return name;
}
