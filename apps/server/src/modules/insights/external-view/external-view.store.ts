/** The external product of an instance; its secret stays sealed here. */
import { randomInt } from "node:crypto";
import type { Id } from "@accord/contracts";
import { ExternalViewDefinition } from "@accord/contracts/insights/external-view";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

export interface StoredExternalView {
  definition: ExternalViewDefinition;
  secret: string;
  /** Where tokens that are signed with the secret may go. */
  origins: string[];
  version: number;
  updatedAt: string;
}

interface Row {
  definition: unknown;
  secret: string;
  origins: string[];
  version: number;
  updated_at: string;
}

export async function findExternalView(db: Db, at: Id<"instance">): Promise<StoredExternalView | null> {
  const { rows } = await sql<Row>`
    SELECT definition, secret, origins, version, updated_at FROM external_view WHERE instance_id = ${at}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { definition, updated_at: updatedAt, ...rest } = row;
  return { ...rest, definition: ExternalViewDefinition.parse(definition), updatedAt };
}

/** Anywhere: a form that shows settings which were removed since must not fit those that were entered after them. */
const firstVersion = (): number => randomInt(1, 2 ** 30);

/** `version`: of what is replaced, 0 for none. False: somebody was faster. */
export async function writeExternalView(
  db: Db,
  at: Id<"instance">,
  one: Omit<StoredExternalView, "updatedAt"> & { now: Date },
): Promise<boolean> {
  const { definition, secret, origins, version, now } = one;
  const { rows } =
    version === 0
      ? await sql`
          INSERT INTO external_view (instance_id, provider, definition, secret, origins, version, updated_at)
          VALUES (${at}, 'generic', ${JSON.stringify(definition)}, ${secret}, ${origins}, ${firstVersion()}, ${now})
          ON CONFLICT DO NOTHING RETURNING version`.execute(db)
      : await sql`
          UPDATE external_view SET definition = ${JSON.stringify(definition)}, secret = ${secret}, origins = ${origins},
                 version = version + 1, updated_at = ${now}
           WHERE instance_id = ${at} AND version = ${version} RETURNING version`.execute(db);
  return rows.length > 0;
}

export async function deleteExternalView(db: Db, at: Id<"instance">): Promise<void> {
  await sql`DELETE FROM external_view WHERE instance_id = ${at}`.execute(db);
}
