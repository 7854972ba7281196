/** A synapse that files are uploaded for, as the server describes it. */
import { ConnectorDetail } from "@accord/contracts/connections/connectors";

const ID = "c".repeat(24);

export const connectorDetail = ConnectorDetail.parse({
  ...{ id: ID, connectorId: ID, name: "Deliveries", status: "ACTIVE", schemaRefreshStatus: "SUCCESS" },
  ...{ metadataId: "files", connectorMetaDefinitionId: "files", typeName: "Files" },
  metadata: { id: "files", displayName: "Files", icon: "files", backgroundColor: "gold", capabilities: ["read"] },
  ...{ iconUri: "files", backgroundColor: "gold", draftId: null, draftStatus: null, custom: false },
  ...{
    httpSource: false,
    webhook: false,
    oauthRedirectUrl: null,
    oauthRedirectName: null,
    errorMessage: null,
    errorDetails: null,
  },
  ...{ autoSchemaSyncEntities: [], entityCount: 1, schemaRefreshedAt: null, progress: null, authType: "none" },
  ...{ credentialFields: [], version: 1 },
  ...{ createdAt: "2026-06-01T08:00:00.000Z", updatedAt: "2026-06-01T08:00:00.000Z" },
  ...{ config: { place: "uploaded" }, credentialValues: {}, entities: [], usedBy: [] },
});
