/** The process of the bare DuckDB: makes the rows in a file, answers statements over HTTP and sends its port. */
import { openRawDuckDb } from "../../../../apps/server/test-kit/mirror/raw-duckdb.ts";
import { customersSql, ordersSql } from "./card-shop.ts";
import { serve } from "./serve-rows.ts";

const [file = "", memoryMb, orders, customers] = process.argv.slice(2);
const size = { orders: Number(orders), customers: Number(customers) };

const database = await openRawDuckDb(file, Number(memoryMb));
await database.run(
  `CREATE TABLE customers AS SELECT *, false AS accord_deleted FROM (${customersSql("hex(i)", size.customers)})
   AS c(accord_id, "name", "country")`,
);
await database.run(
  `CREATE TABLE orders AS SELECT * FROM (${ordersSql("hex", size)})
   AS o(accord_id, accord_deleted, "customer", "status", "channel", "amount", "pieces", "placedAt")`,
);
const { port } = await serve((statement) => database.rows(statement));
process.send?.(port);
process.on("disconnect", () => process.exit(0));
