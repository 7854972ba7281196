/** The redirect addresses of connections in `app`. Decides nothing. */
import type { Id } from "@accord/contracts";
import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";
import type { Redirect } from "./redirect-url.ts";

/**
 * Its sign-in is at these origins now. Another name is another redirect address. False: it has another one than `former`
 * meanwhile.
 */
export async function saveRedirect(
  db: Db,
  at: Id<"instance">,
  connectorId: string,
  { name, origins, former }: Redirect,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE connector SET redirect_name = ${name}, redirect_origins = ${origins && JSON.stringify(origins)}::jsonb
    WHERE instance_id = ${at} AND id = ${connectorId} AND redirect_name IS NOT DISTINCT FROM ${former}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Another connection has the name, or one had it. */
export const isRedirectTaken = (error: unknown): boolean =>
  error instanceof Error &&
  "constraint" in error &&
  (error.constraint === "connector_redirect_name" || error.constraint === "redirect_name_pkey");
