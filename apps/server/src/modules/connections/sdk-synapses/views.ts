/** Uploaded synapses as the API shows them. */
import type { Id } from "@accord/contracts";
import type { SdkSynapse, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import { readRequirements } from "./requirements.ts";
import type { SynapseRow } from "./synapses.store.ts";
import type { VersionRow } from "./versions.store.ts";

export interface Versions {
  draft: VersionRow | null;
  published: VersionRow | null;
}

export const versionsOf = (rows: readonly VersionRow[]): Versions => ({
  draft: rows.find(({ approval_status: status }) => status !== "APPROVED") ?? null,
  published: rows.find(({ approval_status: status }) => status === "APPROVED") ?? null,
});

const instant = (time: string): string => new Date(time).toISOString();

export const versionView = (row: VersionRow): SdkSynapseVersion => ({
  number: row.number,
  approvalStatus: row.approval_status,
  contentHash: row.content_hash,
  synapseFileName: row.code_name,
  requirements: readRequirements(row.requirements),
  hasIcon: row.has_icon,
  description: row.description,
  uploadedBy: row.uploaded_by,
  uploadedAt: instant(row.uploaded_at),
  submittedAt: row.submitted_at && instant(row.submitted_at),
  approvedAt: row.approved_at && instant(row.approved_at),
  returned: row.returned_as && {
    how: row.returned_as,
    reason: row.return_reason,
    returnedAt: instant(row.returned_at ?? row.uploaded_at),
  },
});

/** The version that an instance sees first: drafts are nobody else's business. */
export const shownVersion = (row: SynapseRow, { draft, published }: Versions, at: Id<"instance">): VersionRow | null =>
  row.instance_id === at ? (draft ?? published) : published;

const PICTURE_TYPES = { 0x89: "image/png", 0xff: "image/jpeg", 0x52: "image/webp" } as const;

/** As a data address; its first byte names its kind, which was checked at its upload. */
export function iconUri(icon: Buffer | undefined): string {
  const kind = Object.entries(PICTURE_TYPES).find(([first]) => Number(first) === icon?.[0])?.[1];
  return icon && kind ? `data:${kind};base64,${icon.toString("base64")}` : "code";
}

/** The last step that the version took. */
function changedAt(row: SynapseRow, version: VersionRow | null): string {
  const {
    uploaded_at: uploaded,
    submitted_at: submitted,
    returned_at: returned,
    approved_at: approved,
  } = version ?? {};
  const times = [row.created_at, uploaded, submitted, returned, approved].flatMap((time) =>
    time ? [instant(time)] : [],
  );
  return times.reduce((latest, time) => (time > latest ? time : latest));
}

export interface ViewFacts {
  versions: Versions;
  icon: Buffer | undefined;
  connectionCount: number;
}

export function synapseView(
  row: SynapseRow,
  { versions, icon, connectionCount }: ViewFacts,
  at: Id<"instance">,
): SdkSynapse {
  const isOwn = row.instance_id === at;
  const { draft, published } = versions;
  const shown = shownVersion(row, versions, at);
  return {
    connectorMetaDefinitionId: row.id,
    connectorMetaName: row.name,
    connectorMetaDisplayName: row.display_name,
    publishToGlobal: row.publish_to_global,
    isGlobal: row.is_global,
    approvalStatus: shown?.approval_status ?? "NEW",
    deploymentStatus: row.deployment_status,
    deploymentMessage: isOwn ? row.deployment_message : null,
    isOwn,
    hasDraft: isOwn && draft !== null,
    number: shown?.number ?? 1,
    returnedAs: shown?.returned_as ?? null,
    iconUri: iconUri(icon),
    connectionCount,
    published: published && versionView(published),
    scope: row.is_global ? "GLOBAL" : row.scope,
    version: row.version,
    createdAt: instant(row.created_at),
    changedAt: changedAt(row, shown),
  };
}
