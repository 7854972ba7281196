/** MySQL and MariaDB: tables and views as entities, exact values, changes by time stamp or comparison, locked writes. */
import { ConnectorError, defineConnector, type Capability } from "@accord/connector-sdk";
import { describeRelation, indexesOf, listRelations } from "./catalogue.ts";
import { openClient } from "./client.ts";
import { MYSQL_CONFIG_FIELDS, MysqlConfig } from "./config.ts";
import { listIds, lookAt, readPage, readWhere } from "./reading/read.ts";
import { watermarkOf } from "./reading/source.ts";
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
  "userEditableId",
  "userEditableWatermark",
];

export const mysqlConnector = defineConnector({
  type: "mysql",
  displayName: "MySQL / MariaDB",
  category: "database",
  description: "Tables and views of a database of MySQL 5.7 or newer, or MariaDB 10.5 or newer.",
  icon: "mysql",
  backgroundColor: "teal",
  config: MysqlConfig,
  configFields: MYSQL_CONFIG_FIELDS,
  authMethods: [USER_AND_PASSWORD],
  capabilities: CAPABILITIES,
  capabilitiesOf: (_, entity) => {
    // Without a time of change each pass reads the table completely.
    const isStamped = watermarkOf(entity) !== undefined;
    return CAPABILITIES.filter((capability) => isStamped || !["readChanges", "readByWatermark"].includes(capability));
  },
  readPageSize: 2000,
  writeBatchSize: 200,
  readDelaySeconds: 0,
  hosts: (config) => [`${config.host}:${config.port}`],
  destinations: (config) => [
    `mysql://${config.host.toLowerCase()}:${config.port}/${encodeURIComponent(config.database)}`,
  ],

  connect(context, config) {
    const client = openClient(context, config);
    return {
      async check() {
        if ((await listRelations(client, config.database)).length > 0) return;
        throw new ConnectorError("permission", `There is no table that this user may read in ${config.database}.`, {
          hint: "Grant SELECT on the database to this user, or name another database.",
        });
      },
      async *discover({ only }) {
        const all = await listRelations(client, config.database);
        const relations = all.filter(({ name }) => !only || only.includes(name));
        for (const [at, relation] of relations.entries()) {
          const entity = await describeRelation(client, config.database, relation);
          yield { entity, done: at + 1, total: relations.length };
        }
      },
      read: (request) => readPage(client, config, request, context),
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
      async changeDetection({ entity }) {
        const { source, size } = await lookAt(client, config, entity);
        const { watermark } = source;
        const indexes = watermark && size !== null ? await indexesOf(client, config.database, source.name) : [];
        const isIndexed = indexes.some(({ columns }) => columns[0] === watermark?.name);
        const unindexed = size === null || isIndexed ? "listedWatermark" : "scannedWatermark";
        const compared = size === null ? "comparison" : "changedTable";
        return { method: watermark ? unindexed : compared, tableBytes: size, replication: null };
      },
      close: () => client.close(),
    };
  },
});
