/** Connectors as the API and other modules see them; no secrets in either. */
import { FILES_FOLDER, type ConnectorDefinition } from "@accord/connector-sdk";
import { findConnectorType, lostSynapseType, UPLOADED_TYPE, uploadedTypeOf } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { Connector, ConnectorType } from "@accord/contracts/connections/connectors";
import { InputDefinition } from "@accord/contracts/config/inputs";
import type { Config } from "../../../config.ts";
import type { ConnectorRow, StoredConnector } from "./connectors.store.ts";
import type { ConnectorFacts } from "./connector-facts.ts";
import { redirectUrlOf } from "./oauth/redirect-url.ts";
import { isCustomType, isSynapseType } from "./synapse-types.ts";

/** `filesFolder`: full path on the server of the folder with the instance's files; help texts name it as FILES_FOLDER. */
export const connectorTypeView = (type: ConnectorDefinition, filesFolder: string): ConnectorType => ({
  id: type.type,
  displayName: type.displayName,
  category: type.category,
  description: type.description,
  icon: type.icon,
  backgroundColor: type.backgroundColor,
  helpUrl: type.helpUrl,
  configFields: type.configFields.map((field) =>
    InputDefinition.parse({ ...field, helpText: field.helpText?.replaceAll(FILES_FOLDER, () => filesFolder) }),
  ),
  authMethods: type.authMethods.map(({ settings, readableMembers: _, ...method }) => ({
    ...method,
    fields: method.fields.map((field) => InputDefinition.parse(field)),
    ...(settings && { settings: settings.map((field) => InputDefinition.parse(field)) }),
  })),
  capabilities: [...type.capabilities],
});

/** A row of a type that this version does not have is a fault of the installation. */
export function typeOf(row: Pick<ConnectorRow, "type" | "config" | "synapse">): ConnectorDefinition {
  if (isSynapseType(row.type)) return row.synapse ?? lostSynapseType(row.type);
  const type = row.type.startsWith(UPLOADED_TYPE) ? uploadedTypeOf(row.type, row.config) : findConnectorType(row.type);
  if (!type) throw new Error(`There is no connector type ${row.type}.`);
  return type;
}

/** A webhook has the icon that a person chose. */
const iconOf = ({ config }: Pick<ConnectorRow, "config">, { type, icon }: ConnectorDefinition): string =>
  type === "webhook" && typeof config["icon"] === "string" ? config["icon"] : icon;

export function connectorView(row: ConnectorRow, server: Pick<Config, "baseUrl">): Connector {
  const type = typeOf(row);
  const id = row.id as Id<"connector">;
  const { displayName, backgroundColor } = type;
  const icon = iconOf(row, type);
  return {
    id,
    connectorId: id,
    name: row.name,
    status: row.status,
    schemaRefreshStatus: row.schema_status,
    metadataId: type.type,
    connectorMetaDefinitionId: type.type,
    typeName: displayName,
    metadata: { id: type.type, displayName, icon, backgroundColor, capabilities: [...type.capabilities] },
    iconUri: icon,
    backgroundColor,
    draftId: null,
    draftStatus: isSynapseType(row.type) ? "APPROVED" : null,
    custom: isCustomType(row.type),
    httpSource: type.type === "http" || isSynapseType(row.type),
    webhook: type.type === "webhook",
    oauthRedirectUrl: row.auth_type === "oauth" ? redirectUrlOf(server, row.redirect_name) : null,
    oauthRedirectName: row.redirect_name,
    errorMessage: row.problem?.message ?? null,
    errorDetails: row.problem,
    autoSchemaSyncEntities: row.auto_schema_entities,
    entityCount: row.entity_count,
    schemaRefreshedAt: row.schema_refreshed_at,
    progress: row.progress,
    authType: row.auth_type,
    credentialFields: row.secret_names,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function connectorFacts(row: ConnectorRow | StoredConnector): ConnectorFacts {
  const type = typeOf(row);
  return {
    id: row.id as Id<"connector">,
    name: row.name,
    type: type.type,
    category: type.category,
    icon: iconOf(row, type),
    backgroundColor: type.backgroundColor,
    status: row.status,
    schemaRefreshStatus: row.schema_status,
    errorMessage: row.problem?.message ?? null,
    capabilities: type.capabilities,
    readPageSize: type.readPageSize,
    writeBatchSize: type.writeBatchSize,
    readDelaySeconds: type.readDelaySeconds,
  };
}
