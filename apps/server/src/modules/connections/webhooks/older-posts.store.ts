/** Posts that an older version kept as they came: what a sealing pass does with them. */
import { instanceSchema, instancesIn, type Pool } from "../../../platform/db/db.ts";
import { MAX_BYTES, MAX_ROWS, type SealingPass } from "../../../platform/secrets/sealing-pass.store.ts";
import { SEALED_VALUE_PREFIX, type Secrets } from "../../../platform/secrets/secrets.ts";
import { sealBody } from "./sealed-body.ts";

export const olderPosts = (pool: Pool, secrets: Pick<Secrets, "sealValue">): SealingPass => ({
  what: "posts",
  parts: () => instancesIn(pool),
  async seal(client, instanceId, after) {
    const table = `"${instanceSchema(instanceId)}".webhook_message`;
    // The size is known without reading the body.
    const { rows: keys } = await client.query<{ number: string }>(
      `SELECT number FROM (SELECT number, octet_length(body) AS size, sum(octet_length(body)) OVER (ORDER BY number) AS total
         FROM (SELECT number, body FROM ${table} WHERE number > $1 ORDER BY number LIMIT ${MAX_ROWS}) next) sized
       WHERE total - size < ${MAX_BYTES} ORDER BY number`,
      [after ?? 0],
    );
    const numbers = keys.map(({ number }) => number);
    const { rows } = await client.query<{ number: string; body: string }>(
      `SELECT number, body FROM ${table} WHERE number = ANY ($1) AND NOT starts_with(body, $2)`,
      [numbers, SEALED_VALUE_PREFIX],
    );
    for (const { number, body } of rows)
      await client.query(`UPDATE ${table} SET body = $2 WHERE number = $1`, [
        number,
        sealBody(secrets, instanceId, body),
      ]);
    return numbers.at(-1) ?? null;
  },
});
