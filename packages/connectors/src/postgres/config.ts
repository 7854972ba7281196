/** What a PostgreSQL connection needs: address, database, schemas, encryption. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";
import { addressFields, addressShape, LINE_FIELDS, LINE_SHAPE } from "../relational/connection-config.ts";

export const PostgresConfig = z.object({
  ...addressShape({ port: 5432, nameLength: 63 }),
  /** The first one's tables go by their bare name. */
  schemas: z
    .string()
    .default("public")
    .transform((text) =>
      text
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .pipe(z.array(z.string().max(63)).min(1, "name one schema at least").max(50)),
  ...LINE_SHAPE,
  /** Views only: how long after its time stamp a change may become visible. */
  overlapSeconds: z.coerce.number().int().min(0).max(86_400).default(60),
  listen: z.boolean().default(false),
  /** How changes of tables are found; views are always compared. */
  changes: z.enum(["rowVersions", "replication"]).default("rowVersions"),
  /** Megabytes of log retained for one source, from which on it is told and from which on its slot is dropped. */
  retainedWarningMb: z.coerce.number().int().min(1).max(10_000_000).default(1_024),
  retainedMaxMb: z.coerce.number().int().min(1).max(10_000_000).default(10_240),
});
export type PostgresConfig = z.output<typeof PostgresConfig>;

export const POSTGRES_CONFIG_FIELDS: InputDefinition[] = [
  ...addressFields(5432),
  {
    name: "schemas",
    label: "Schemas",
    datatype: "string",
    defaultValue: "public",
    helpText: "Separate several with commas. Tables of the first go by their bare name.",
  },
  ...LINE_FIELDS,
  {
    name: "overlapSeconds",
    label: "Late changes in views (seconds)",
    datatype: "integer",
    defaultValue: 60,
    fieldSet: "Advanced",
    helpText: "Views are read by their time stamp; rows that became visible this much later are still found.",
  },
  {
    name: "listen",
    label: "Tell Accord about changes at once",
    datatype: "boolean",
    defaultValue: false,
    fieldSet: "Advanced",
    helpText: "Adds one small trigger to each synchronised table. Needs the right to create triggers.",
  },
  {
    name: "changes",
    label: "Find changes by",
    datatype: "picklist",
    defaultValue: "rowVersions",
    values: [
      { id: "rowVersions", label: "Row versions: nothing is set up in the database" },
      { id: "replication", label: "Logical replication: a slot for each source" },
    ],
    fieldSet: "Advanced",
    helpText:
      "Logical replication costs what changed, however large the table, and tells deletions at once. It needs wal_level = logical and a user with REPLICATION; the database retains its log until it has been read.",
  },
  {
    name: "retainedWarningMb",
    label: "Warn when a slot retains (megabytes)",
    datatype: "integer",
    defaultValue: 1_024,
    fieldSet: "Advanced",
    visibilityDependsOnFieldValue: { field: "changes", value: "replication" },
  },
  {
    name: "retainedMaxMb",
    label: "Drop a slot that retains (megabytes)",
    datatype: "integer",
    defaultValue: 10_240,
    fieldSet: "Advanced",
    helpText: "The source is then compared completely once: nothing is lost.",
    visibilityDependsOnFieldValue: { field: "changes", value: "replication" },
  },
];
