/** PostgreSQL: tables and views as entities, changes found without relying on time stamps, batched writes. */
import { ConnectorError, defineConnector, type Capability } from "@accord/connector-sdk";
import { describeRelation, entityNameOf, listRelations } from "./catalogue.ts";
import { changeDetectionOf, checkReplication } from "./reading/change-detection.ts";
import { ChangeFeed } from "./reading/change-feed.ts";
import { openClient } from "./client.ts";
import { POSTGRES_CONFIG_FIELDS, PostgresConfig } from "./config.ts";
import { listenForChanges } from "./reading/listen.ts";
import { listIds, readPage, readWhere } from "./reading/read.ts";
import { endReplication, listReaders } from "./replication/replication.ts";
import { USER_AND_PASSWORD } from "../relational/connection-config.ts";
import { writeRows } from "./writing/write.ts";

const CAPABILITIES: Capability[] = [
  "read",
  "readChanges",
  "readById",
  "readByWatermark",
  "listIds",
  "getById",
  "lookup",
  "create",
  "update",
  "delete",
  "conditionalWrite",
  "retainsChanges",
  "notifies",
  "userEditableId",
  "userEditableWatermark",
];

export const postgresConnector = defineConnector({
  type: "postgres",
  displayName: "PostgreSQL",
  category: "database",
  description: "Tables and views of a PostgreSQL database, version 12 or newer.",
  icon: "postgres",
  backgroundColor: "blue",
  config: PostgresConfig,
  configFields: POSTGRES_CONFIG_FIELDS,
  authMethods: [USER_AND_PASSWORD],
  capabilities: CAPABILITIES,
  capabilitiesOf: (config, entity) =>
    CAPABILITIES.filter((capability) => {
      if (capability === "notifies") return config.listen && !entity.readOnly;
      if (capability === "retainsChanges") return config.changes === "replication";
      // Views show no transactions: without a watermark each pass reads them completely.
      if (capability === "readChanges") return !entity.readOnly || entity.fields.some((f) => f.isWatermarkField);
      return capability !== "readByWatermark" || entity.fields.some((field) => field.isWatermarkField);
    }),
  readPageSize: 2000,
  writeBatchSize: 200,
  readDelaySeconds: 0,
  hosts: (config) => [`${config.host}:${config.port}`],
  destinations: (config) => [
    `postgres://${config.host.toLowerCase()}:${config.port}/${encodeURIComponent(config.database)}`,
  ],

  connect(context, config) {
    const client = openClient(context, config);
    const feed = new ChangeFeed(client);
    return {
      async check() {
        const relations = await listRelations(client, config.schemas);
        if (relations.length === 0)
          throw new ConnectorError(
            "permission",
            `There is no table that this user may read in ${config.schemas.join(", ")}.`,
            {
              hint: "Grant USAGE on the schema and SELECT on its tables to this user, or name another schema.",
            },
          );
        if (config.changes === "replication") await checkReplication(client);
      },
      async *discover({ only }) {
        const all = await listRelations(client, config.schemas);
        const relations = all.filter(
          ({ schema, table }) => !only || only.includes(entityNameOf(config.schemas, schema, table)),
        );
        for (const [at, relation] of relations.entries())
          yield {
            entity: await describeRelation(client, config.schemas, relation),
            done: at + 1,
            total: relations.length,
          };
      },
      read: (request) => readPage(client, feed, config, request, context),
      listIds: (request) => listIds(client, config, request),
      getByIds: ({ entity, fields, ids }) =>
        readWhere(client, config, {
          entity,
          fields,
          field: entity.fields.find((field) => field.isIdField)?.apiName ?? "",
          values: ids,
        }),
      lookup: ({ entity, fields, field, values }) =>
        readWhere(client, config, { entity, fields, field, values: values.map(String) }),
      write: (request) => writeRows({ client, config, request, sleep: context.sleep }),
      subscribe: (request) => listenForChanges(client, config, request),
      changeDetection: (request) => changeDetectionOf(client, config, request),
      listReaders: (prefix) => listReaders(client, config, prefix),
      dropReader: (name) => endReplication(client, name),
      async close() {
        await feed.close();
        await client.close();
      },
    };
  },
});
