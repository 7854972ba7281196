/** HTTP synapses as the API shows them; no secrets. */
import { HTTP_AUTH_METHODS } from "@accord/connectors";
import type { CustomSynapse, HttpSynapse, SynapseEntitySummary } from "@accord/contracts/connections/http-synapses";
import { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";
import { AppError } from "../../../platform/http/app-error.ts";
import { operationsOf } from "./synapse-changes.ts";
import type { ListedSynapse, SynapseRow } from "./synapses.store.ts";

/** A version that is being looked at. */
export interface OpenedVersion {
  version: number;
  status: HttpSynapse["status"];
  definition: HttpSynapseDefinition;
}

/** Stored ones of earlier versions of the product get what was added since. */
export const parseDefinition = (stored: unknown): HttpSynapseDefinition => HttpSynapseDefinition.parse(stored);

export const draftVersionOf = ({ published_version: published }: Pick<SynapseRow, "published_version">): number =>
  (published ?? 0) + 1;

/** The draft, else what is published. */
export function openedVersion(row: SynapseRow): OpenedVersion {
  if (row.draft) return { version: draftVersionOf(row), status: "NEW", definition: parseDefinition(row.draft) };
  if (row.published_version === null) throw new AppError("not_found", { what: "Synapse" });
  return { version: row.published_version, status: "APPROVED", definition: parseDefinition(row.published) };
}

export const synapseIcon = ({ icon }: Pick<SynapseRow, "icon">): string => icon ?? "api";

const idsOf = (row: Omit<ListedSynapse, "display_name" | "description" | "entity_count">) => ({
  id: row.id,
  connectorMetaDefinitionId: row.id,
  metadataId: row.id,
  synapseType: "http" as const,
  name: row.name,
  draftStatus:
    row.published_version === null
      ? ("NEW" as const)
      : row.has_draft
        ? ("APPROVED_WITH_DRAFT" as const)
        : ("APPROVED" as const),
  publishedVersion: row.published_version,
  draftVersion: row.has_draft ? draftVersionOf(row) : null,
  publishedAt: row.published_at,
  iconUri: synapseIcon(row),
  shareScope: row.share_scope,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const synapseListView = (row: ListedSynapse): CustomSynapse => ({
  ...idsOf(row),
  displayName: row.display_name,
  description: row.description,
  entityCount: row.entity_count,
  connectionCount: row.connection_count,
});

export const entitySummary = ({
  entityId,
  config,
}: HttpSynapseDefinition["entities"][number]): SynapseEntitySummary => ({
  entityId,
  apiName: config.apiName,
  displayName: config.displayName,
  fieldCount: config.fields.length,
  operations: operationsOf(config),
  readsChanges: Boolean(config.list.watermark),
});

export function synapseView(row: SynapseRow, opened: OpenedVersion = openedVersion(row)): HttpSynapse {
  const { settings, entities } = opened.definition;
  const method = HTTP_AUTH_METHODS.find(({ type }) => type === settings.authType);
  const stored = new Set([...Object.keys(row.trial.plain ?? {}), ...(row.trial.secretNames ?? [])]);
  return {
    ...idsOf({ ...row, has_draft: row.draft !== null }),
    ...settings,
    version: opened.version,
    status: opened.status,
    revision: row.draft_revision,
    entities: entities.map(entitySummary),
    variableValues: row.trial.values ?? {},
    credentialFields: (method?.fields ?? []).map(({ name }) => name).filter((name) => stored.has(name)),
  };
}
