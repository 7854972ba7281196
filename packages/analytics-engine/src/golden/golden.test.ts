/** The SQL of every golden case, word for word. Update with `npm run golden -- --update` and read the difference. */
import { expect, test } from "vitest";
import { CASES } from "./cases.ts";

for (const { name, statement } of CASES)
  test(`the SQL of ${name}`, async () => {
    const params = statement.params.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value)}\n`).join("");
    await expect(`${params}${statement.text}\n`).toMatchFileSnapshot(`./${name}.sql`);
  });
