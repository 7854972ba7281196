/** A system with one entity, and entities of the core, as tests of a new pipeline need them. */
import { Connector, ConnectorEntity } from "@accord/contracts/connections/connectors";
import { CoreEntity } from "@accord/contracts/data/entities";
import { FieldSchema } from "@accord/contracts/data/schema";

const NOW = "2026-11-01T10:00:00.000Z";
export const SHOP = "5".repeat(24);

export const fieldOf = (apiName: string, more: object = {}): FieldSchema =>
  FieldSchema.parse({ apiName, displayName: apiName[0]?.toUpperCase() + apiName.slice(1), ...more });

export const shop = (capabilities: readonly string[] = ["create", "update"]): Connector =>
  Connector.parse({
    id: SHOP,
    connectorId: SHOP,
    name: "Shop",
    status: "ACTIVE",
    schemaRefreshStatus: "SUCCESS",
    metadataId: "postgres",
    connectorMetaDefinitionId: "postgres",
    typeName: "PostgreSQL",
    metadata: { id: "postgres", displayName: "PostgreSQL", icon: "postgres", backgroundColor: "blue", capabilities },
    iconUri: "",
    backgroundColor: "blue",
    draftId: null,
    draftStatus: null,
    custom: false,
    httpSource: false,
    webhook: false,
    oauthRedirectUrl: null,
    oauthRedirectName: null,
    errorMessage: null,
    errorDetails: null,
    autoSchemaSyncEntities: [],
    entityCount: 1,
    schemaRefreshedAt: NOW,
    progress: null,
    authType: "none",
    credentialFields: [],
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
  });

const OWN = { updateable: false, initializable: false };

export const BUYER_FIELDS = [
  fieldOf("name"),
  fieldOf("mail", { displayName: "E-mail" }),
  fieldOf("spent", { dataType: "decimal" }),
  fieldOf("fax", { status: "INACTIVE" }),
  fieldOf("changed", { dataType: "datetime", isWatermarkField: true, ...OWN }),
  fieldOf("number", { unique: true }),
  fieldOf("id", { displayName: "ID", dataType: "integer", isIdField: true, unique: true, ...OWN }),
];

export const buyers = (fields: readonly FieldSchema[] = BUYER_FIELDS, more: object = {}): ConnectorEntity =>
  ConnectorEntity.parse({
    apiName: "buyers",
    displayName: "Buyers",
    readOnly: false,
    status: "ACTIVE",
    fieldCount: fields.length,
    idField: "id",
    watermarkField: "changed",
    idFieldChosen: false,
    watermarkFieldChosen: false,
    problem: null,
    refreshedAt: NOW,
    connectorId: SHOP,
    schema: { apiName: "buyers", displayName: "Buyers", fields },
    idCandidates: ["id"],
    watermarkCandidates: ["changed"],
    writeComparison: "checked",
    ...more,
  });

export const coreEntity = (fields: readonly FieldSchema[], more: object = {}): CoreEntity =>
  CoreEntity.parse({
    id: "e".repeat(24),
    apiName: "buyers",
    displayName: "Buyers",
    pluralName: "Buyers",
    version: 1,
    state: "APPROVED",
    hasDraft: false,
    revision: 1,
    fields: fields.map((field, index) => ({ ...field, id: String(index).padStart(24, "f") })),
    createdAt: NOW,
    updatedAt: NOW,
    ...more,
  });
