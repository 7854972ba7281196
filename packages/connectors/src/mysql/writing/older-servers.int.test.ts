/** Servers that can't pass over locked rows (MariaDB 10.5, MySQL 5.7), for which a newer one stands in by its version. */
import { describe, expect, onTestFinished, test } from "vitest";
import { beginStatement, mariaDb, remove, update } from "../mysql.fixtures.ts";

const maria = mariaDb(["--version=10.5.8-MariaDB"]);

describe("a server that can't pass over locked rows", () => {
  test("leaves the rows that others hold for later, and writes the rest of their batch", async () => {
    const db = await maria.database(
      "CREATE TABLE thing (id INT PRIMARY KEY, n INT); INSERT INTO thing SELECT seq, 0 FROM seq_1_to_6",
    );
    const other = await maria.server().client(db.name);
    onTestFinished(() => other.end());
    await other.query("START TRANSACTION; UPDATE thing SET n = 5 WHERE id IN (2, 4)");
    const hasEnded = await beginStatement(maria.server(), 40);
    const outcomes = await db.write(
      "thing",
      [1, 2, 3, 4, 5].map((id) => update(String(id), { n: 1 })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["done", "retry", "done", "retry", "done"]);
    expect(hasEnded(), "nearly as long as a server waits for a lock by itself").toBe(false);
    await other.query("COMMIT");
    const after = await db.write("thing", [update("2", { n: 1 }), remove("4"), remove("99")]);
    expect(after.map(({ status }) => status)).toEqual(["done", "done", "missing"]);
    expect(await db.sql("SELECT GROUP_CONCAT(id, ':', n ORDER BY id) rest FROM thing")).toEqual([
      { rest: "1:1,2:1,3:1,5:1,6:0" },
    ]);
  });
});
