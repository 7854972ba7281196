/** Decides how changes of a relation are found: reading goes by it, and people are told by it. */
import { ConnectorError } from "@accord/connector-sdk";
import type { ChangeDetection, ChangeDetectionMethod } from "@accord/contracts/connections/change-detection";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { PostgresClient } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { relationOf, type Activity } from "./mark.ts";
import { MAY_REPLICATE, replicationProblem, replicationStatus, type SlotProblem } from "../replication/replication.ts";
import { sourceOf } from "./source.ts";

/** Bytes of a table that is read through in some ten milliseconds: it is, whenever anything happened in the database. */
const MAX_CHEAP_SIZE = 16_000_000;

export const isLarge = ({ size }: Activity): boolean => size > MAX_CHEAP_SIZE;

export const isReplicated = ({ changes }: PostgresConfig, problem: SlotProblem | null): boolean =>
  changes === "replication" && problem === null;

/** How the rows of a table are found that were written since a mark. */
function rowVersionMethod(activity: Activity): ChangeDetectionMethod {
  if (!isLarge(activity)) return "tableScan";
  if (activity.isWatermarkIndexed) return "indexedWatermark";
  return activity.counters === null ? "intervalScan" : "counters";
}

/** As things are in the database now; `reader`: whose publication and slot count. */
export async function changeDetectionOf(
  client: PostgresClient,
  config: PostgresConfig,
  { entity, reader }: { entity: EntitySchema; reader: string },
): Promise<ChangeDetection> {
  const source = sourceOf(config, entity, []);
  const [{ hasRowVersions, activity }, status] = await Promise.all([
    relationOf(client, source.place, source.watermarkName),
    replicationStatus(client, source, reader),
  ]);
  const trouble = status && replicationProblem(status, source, reader);
  const byRows = (): ChangeDetectionMethod => {
    if (hasRowVersions) return rowVersionMethod(activity);
    return source.watermark ? "watermark" : "comparison";
  };
  return {
    method: isReplicated(config, trouble) ? "replication" : byRows(),
    tableBytes: hasRowVersions ? activity.size : null,
    replication: {
      isOn: config.changes === "replication",
      problem: trouble?.problem ?? null,
      sql: trouble?.sql ?? null,
    },
  };
}

/** What is wrong for all tables of the server is told when the connection is tried. */
export async function checkReplication(client: PostgresClient): Promise<void> {
  const [row] = await client.query(
    `SELECT current_setting('wal_level'), (${MAY_REPLICATE})::text, quote_ident(current_user)`,
  );
  const [walLevel, mayReplicate, role] = row ?? [];
  if (walLevel !== "logical")
    throw new ConnectorError("configuration", `Logical replication needs wal_level = logical; it is ${walLevel}.`, {
      hint: "Run ALTER SYSTEM SET wal_level = 'logical'; as superuser and restart the database server, or choose row versions in Advanced.",
    });
  if (mayReplicate !== "true")
    throw new ConnectorError("permission", "This user may not use logical replication.", {
      hint: `Run ALTER ROLE ${role} WITH REPLICATION; as superuser, or choose row versions in Advanced.`,
    });
}
