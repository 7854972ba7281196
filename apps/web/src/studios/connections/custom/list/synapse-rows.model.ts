/** Custom synapses of all three kinds as rows of one list. Pure. */
import type { Connector } from "@accord/contracts/connections/connectors";
import type { CustomSynapse } from "@accord/contracts/connections/http-synapses";
import type { SdkSynapse } from "@accord/contracts/connections/sdk-synapse-shapes";

interface RowFacts {
  id: string;
  name: string;
  icon: string;
  /** The version that connections use, else that of the draft; null: this kind has none. */
  version: number | null;
  /** null: this kind is not shared. */
  sharedWith: "PRIVATE" | "SUBSCRIPTION" | "SELECTED" | "GLOBAL" | null;
  /** Connections of it; null: it is a connection itself. */
  usedBy: number | null;
  changedAt: string;
}

export type SynapseRow = RowFacts &
  (
    | { kind: "http"; synapse: CustomSynapse }
    | { kind: "webhook"; connector: Connector; hasDraft: boolean }
    | { kind: "sdk"; synapse: SdkSynapse }
  );

export function rowsOf(
  http: readonly CustomSynapse[],
  connectors: readonly Connector[],
  sdk: readonly SdkSynapse[],
  webhookDrafts: readonly { connectorId: string }[],
): SynapseRow[] {
  const drafted = new Set(webhookDrafts.map(({ connectorId }) => connectorId));
  const rows: SynapseRow[] = [
    ...http.map(httpRow),
    ...connectors.filter(({ webhook }) => webhook).map((connector) => webhookRow(connector, drafted.has(connector.id))),
    ...sdk.map(sdkRow),
  ];
  return rows.sort((one, other) => one.name.localeCompare(other.name, "en", { sensitivity: "base" }));
}

const httpRow = (synapse: CustomSynapse): SynapseRow => ({
  ...{ kind: "http", synapse, id: synapse.id, name: synapse.displayName, icon: synapse.iconUri },
  version: synapse.publishedVersion ?? synapse.draftVersion,
  sharedWith: synapse.shareScope === "INSTANCES" ? "SELECTED" : synapse.shareScope,
  usedBy: synapse.connectionCount,
  changedAt: synapse.updatedAt,
});

const webhookRow = (connector: Connector, hasDraft: boolean): SynapseRow => ({
  hasDraft,
  ...{ kind: "webhook", connector, id: connector.id, name: connector.name, icon: connector.iconUri },
  ...{ version: null, sharedWith: null, usedBy: null, changedAt: connector.updatedAt },
});

const sdkRow = (synapse: SdkSynapse): SynapseRow => ({
  ...{ kind: "sdk", synapse, id: synapse.connectorMetaDefinitionId, name: synapse.connectorMetaDisplayName },
  icon: synapse.iconUri,
  version: synapse.published?.number ?? synapse.number,
  sharedWith: synapse.scope,
  usedBy: synapse.connectionCount,
  changedAt: synapse.changedAt,
});

/** Rows whose name or kind has all the words. `kindOf`: the kind in words. */
export function rowsWith(rows: readonly SynapseRow[], text: string, kindOf: (row: SynapseRow) => string): SynapseRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const shown = `${row.name} ${kindOf(row)}`.toLowerCase();
    return words.every((word) => shown.includes(word));
  });
}
