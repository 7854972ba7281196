/** What a MySQL or MariaDB connection needs: address, database, encryption. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";
import { addressFields, addressShape, LINE_FIELDS, LINE_SHAPE } from "../relational/connection-config.ts";

export const MysqlConfig = z.object({
  ...addressShape({ port: 3306, nameLength: 64 }),
  ...LINE_SHAPE,
  /** How long after its time stamp a change may become visible. */
  overlapSeconds: z.coerce.number().int().min(0).max(86_400).default(60),
});
export type MysqlConfig = z.output<typeof MysqlConfig>;

export const MYSQL_CONFIG_FIELDS: InputDefinition[] = [
  ...addressFields(3306),
  ...LINE_FIELDS,
  {
    name: "overlapSeconds",
    label: "Late changes (seconds)",
    datatype: "integer",
    defaultValue: 60,
    fieldSet: "Advanced",
    helpText:
      "Changes are found by time stamp; rows that became visible this much later, after long transactions, are still found. Where an application stamps in a zone behind the database's, its hours belong here too: 28800 for eight of them.",
  },
];
