/** Versions of uploaded synapses with their files. Decides nothing. */
import type { Id } from "@accord/contracts";
import type { ApprovalStatus, SdkSynapseFile } from "@accord/contracts/connections/sdk-synapse-shapes";
import { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type SynapseId = Id<"sdkSynapse">;

export interface VersionRow {
  instance_id: InstanceId;
  synapse_id: SynapseId;
  number: number;
  approval_status: ApprovalStatus;
  code_name: string;
  requirements: Buffer;
  has_icon: boolean;
  content_hash: string;
  approved_hash: string | null;
  approved_global: boolean | null;
  description: SynapseDescription | null;
  /** Who uploaded this code, a file beside it, or submitted it. */
  authors: Id<"user">[];
  uploaded_by: Id<"user">;
  uploaded_at: string;
  submitted_by: Id<"user"> | null;
  submitted_at: string | null;
  approved_at: string | null;
  returned_as: "WITHDRAWN" | "REFUSED" | null;
  return_reason: string | null;
  returned_at: string | null;
}

export interface VersionFiles {
  code_name: string;
  code: Buffer;
  requirements: Buffer;
  icon: Buffer | null;
}

const COLUMNS = sql`instance_id, synapse_id, number, approval_status, code_name, requirements, icon IS NOT NULL AS has_icon,
  content_hash, approved_hash, approved_global, description, authors, uploaded_by, uploaded_at, submitted_by, submitted_at,
  approved_at, returned_as, return_reason, returned_at`;

/** A synapse where it was made: versions belong to that instance, whoever else it is shared with. */
export type Owned = Readonly<{ instance_id: InstanceId; id: SynapseId }>;
/** One version of it. */
export type VersionAt = Pick<VersionRow, "instance_id" | "synapse_id" | "number">;

/** Those that count: the draft and the published one, of these synapses. */
export async function readCurrent(db: Db, owned: readonly Owned[]): Promise<VersionRow[]> {
  const instances = owned.map(({ instance_id: instance }) => instance);
  const ids = owned.map(({ id }) => id);
  const { rows } = await sql<VersionRow>`SELECT ${COLUMNS} FROM sdk_synapse_version
    WHERE (instance_id, synapse_id) IN (SELECT * FROM unnest(${instances}::text[], ${ids}::text[]))
      AND approval_status <> 'ARCHIVED' ORDER BY number`.execute(db);
  // What an earlier version of the product stored may lack members, or not count any more.
  return rows.map((row) => ({ ...row, description: SynapseDescription.safeParse(row.description).data ?? null }));
}

export async function readFilesOf(db: Db, at: VersionAt): Promise<VersionFiles | null> {
  const { rows } = await sql<VersionFiles>`SELECT code_name, code, requirements, icon FROM sdk_synapse_version
    WHERE instance_id = ${at.instance_id} AND synapse_id = ${at.synapse_id} AND number = ${at.number}`.execute(db);
  return rows[0] ?? null;
}

export type FileName = SdkSynapseFile["file"];

/** The files of a version by name, size and hash. */
export async function readFileFacts(db: Db, at: VersionAt): Promise<(SdkSynapseFile & { file: FileName })[]> {
  const fact = (file: FileName, name: unknown, content: unknown) =>
    sql`SELECT ${file}::text AS file, ${name} AS "fileName", octet_length(${content}) AS bytes,
      encode(sha256(${content}), 'hex') AS sha256 FROM sdk_synapse_version
      WHERE instance_id = ${at.instance_id} AND synapse_id = ${at.synapse_id} AND number = ${at.number}
        AND ${content} IS NOT NULL`;
  const { rows } = await sql<SdkSynapseFile>`${fact("synapseFile", sql.ref("code_name"), sql.ref("code"))}
    UNION ALL ${fact("requirementsFile", "package.json", sql.ref("requirements"))}
    UNION ALL ${fact("iconFile", "icon", sql.ref("icon"))}`.execute(db);
  return rows;
}

/** Icons of these versions, by synapse. */
export async function readIcons(db: Db, of: readonly VersionAt[]): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await sql<{ synapse_id: string; icon: Buffer }>`SELECT synapse_id, icon FROM sdk_synapse_version
    WHERE icon IS NOT NULL AND (instance_id, synapse_id, number) IN (SELECT * FROM unnest(
      ${of.map((one) => one.instance_id)}::text[], ${of.map((one) => one.synapse_id)}::text[],
      ${of.map((one) => one.number)}::int[]))`.execute(db);
  return new Map(rows.map(({ synapse_id: synapse, icon }) => [synapse, icon]));
}

export async function insertVersion(
  db: Db,
  made: Pick<VersionRow, "instance_id" | "synapse_id" | "content_hash" | "authors" | "uploaded_by"> &
    VersionFiles & { description: SynapseDescription | null; now: Date },
): Promise<void> {
  const description = made.description && JSON.stringify(made.description);
  await sql`INSERT INTO sdk_synapse_version (instance_id, synapse_id, number, approval_status, code_name, code, requirements,
      icon, content_hash, description, authors, uploaded_by, uploaded_at)
    SELECT ${made.instance_id}, ${made.synapse_id}, coalesce(max(number), 0) + 1, 'NEW', ${made.code_name}, ${made.code},
      ${made.requirements}, ${made.icon}, ${made.content_hash}, ${description}::jsonb, ${made.authors}::text[],
      ${made.uploaded_by}, ${made.now}
    FROM sdk_synapse_version WHERE instance_id = ${made.instance_id} AND synapse_id = ${made.synapse_id}`.execute(db);
}

/**
 * Whether the draft is still the one that was seen, and may be changed. Whoever wrote the code is its author until there
 * is other code, whatever else is replaced.
 */
export async function replaceFiles(
  db: Db,
  at: VersionAt & { seen: string },
  change: VersionFiles & Pick<VersionRow, "content_hash" | "uploaded_by"> & { now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`UPDATE sdk_synapse_version SET code_name = ${change.code_name},
      code = ${change.code}, requirements = ${change.requirements}, icon = ${change.icon},
      content_hash = ${change.content_hash}, description = NULL, uploaded_by = ${change.uploaded_by},
      uploaded_at = ${change.now},
      authors = CASE WHEN code <> ${change.code} THEN ARRAY[${change.uploaded_by}::text]
        WHEN ${change.uploaded_by}::text = ANY (authors) THEN authors ELSE authors || ${change.uploaded_by}::text END
    WHERE instance_id = ${at.instance_id} AND synapse_id = ${at.synapse_id} AND number = ${at.number}
      AND content_hash = ${at.seen}
      AND approval_status = 'NEW'`.execute(db);
  return numAffectedRows === 1n;
}

/** What its code says of itself, where the files are still those. */
export async function saveDescription(
  db: Db,
  { instance_id, synapse_id, number, content_hash }: VersionAt & Pick<VersionRow, "content_hash">,
  description: SynapseDescription,
): Promise<void> {
  await sql`UPDATE sdk_synapse_version SET description = ${JSON.stringify(description)}::jsonb
    WHERE instance_id = ${instance_id} AND synapse_id = ${synapse_id} AND number = ${number} AND content_hash = ${content_hash}`.execute(
    db,
  );
}

export interface StatusChange {
  from: ApprovalStatus;
  to: ApprovalStatus;
  by: string | null;
  now: Date;
  /** Of an approval. */
  isGlobal?: boolean | null;
  /** Of a submission that ends without one. */
  returned?: { how: "WITHDRAWN" | "REFUSED"; reason: string | null } | null;
}

/** Whether the version was in this state, with these files. */
export async function changeStatus(
  db: Db,
  { instance_id, synapse_id, number, content_hash }: VersionAt & Pick<VersionRow, "content_hash">,
  { from, to, by, now, isGlobal = null, returned = null }: StatusChange,
): Promise<boolean> {
  const { numAffectedRows } = await sql`UPDATE sdk_synapse_version SET approval_status = ${to},
      authors = CASE WHEN ${to} = 'SUBMIT_FOR_APPROVAL' AND NOT ${by}::text = ANY (authors)
        THEN authors || ${by}::text ELSE authors END,
      submitted_by = CASE WHEN ${to} = 'SUBMIT_FOR_APPROVAL' AND ${by}::text IS NOT NULL THEN ${by} ELSE submitted_by END,
      submitted_at = CASE WHEN ${to} = 'SUBMIT_FOR_APPROVAL' AND ${by}::text IS NOT NULL THEN ${now} ELSE submitted_at END,
      approved_by = CASE WHEN ${to} = 'APPROVAL_IN_PROGRESS' THEN ${by} ELSE approved_by END,
      approved_hash = CASE WHEN ${to} = 'APPROVAL_IN_PROGRESS' THEN content_hash ELSE approved_hash END,
      approved_global = CASE WHEN ${to} = 'APPROVAL_IN_PROGRESS' THEN ${isGlobal}::boolean ELSE approved_global END,
      approved_at = CASE WHEN ${to} = 'APPROVED' THEN ${now} ELSE approved_at END,
      returned_as = ${returned?.how ?? null}, return_reason = ${returned?.reason ?? null},
      returned_at = ${returned && now}
    WHERE instance_id = ${instance_id} AND synapse_id = ${synapse_id} AND number = ${number} AND content_hash = ${content_hash}
      AND approval_status = ${from}`.execute(db);
  return numAffectedRows === 1n;
}

/** What was published before. */
export async function archivePublished(db: Db, { instance_id, id }: Owned): Promise<void> {
  await sql`UPDATE sdk_synapse_version SET approval_status = 'ARCHIVED'
    WHERE instance_id = ${instance_id} AND synapse_id = ${id} AND approval_status = 'APPROVED'`.execute(db);
}

/** Whether there was one that is not submitted. */
export async function deleteDraft(db: Db, { instance_id, id }: Owned): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM sdk_synapse_version
    WHERE instance_id = ${instance_id} AND synapse_id = ${id} AND approval_status = 'NEW'`.execute(db);
  return numAffectedRows === 1n;
}

/** Approvals whose deployment nobody finished: the server that did it was stopped. */
export async function readUnfinished(db: Db): Promise<Pick<VersionRow, "instance_id" | "synapse_id">[]> {
  const { rows } = await sql<Pick<VersionRow, "instance_id" | "synapse_id">>`SELECT instance_id, synapse_id
    FROM sdk_synapse_version WHERE approval_status = 'APPROVAL_IN_PROGRESS'`.execute(db);
  return rows;
}
