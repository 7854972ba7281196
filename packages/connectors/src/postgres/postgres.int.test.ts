/** The PostgreSQL connector against a real server: the conformance kit, and what is special about databases. */
import { connectTo, entityNamed, fieldNames, testConnector } from "@accord/connector-sdk/test-kit";
import type { SystemUnderTest } from "@accord/connector-sdk/test-kit";
import { describe, expect, test } from "vitest";
import { closedPort, breakableConnection, silentPort } from "../../test-systems/tcp-faults.ts";
import { postgresConnector } from "./index.ts";
import { server, configOf, credentials, newDatabase, setUp } from "./fixtures/postgres.ts";

setUp();

async function startSystem(database = "kit"): Promise<SystemUnderTest> {
  const client = await newDatabase(database);
  const silent = await silentPort();
  const line = await breakableConnection(server.port);
  let made = 0;
  return {
    config: configOf(database, line.port),
    credentials,
    entity: "customer",
    seeded: 30,
    emptyEntity: "nothing",
    expected: {
      idField: "id",
      types: {
        name: "string",
        credit: "decimal",
        rating: "double",
        active: "boolean",
        since: "date",
        state: "picklist",
        extra: "object",
        updated_at: "datetime",
      },
      references: { country: "country" },
    },
    outside: {
      async create() {
        made += 1;
        const { rows } = await client.query("INSERT INTO customer (name) VALUES ($1) RETURNING id", [
          `Outside ${made}`,
        ]);
        return String(rows[0].id);
      },
      async update(id) {
        // Forgets its updated_at, as real systems do.
        await client.query("UPDATE customer SET rating = rating + 1, name = name || '!' WHERE id = $1", [id]);
      },
      async remove(id) {
        await client.query("DELETE FROM customer WHERE id = $1", [id]);
      },
    },
    writes: {
      valid: (n) => ({
        name: `Written ${n}`,
        email: `w${n}@example.com`,
        country: "DE",
        credit: "1234567890.25",
        active: false,
        since: "2024-02-29",
        state: "calm",
        labels: ["x", "y, z"],
        extra: { deep: [1, null, "two"] },
      }),
      change: { name: "Changed", credit: null, labels: null },
      invalid: {
        name: "",
        email: "broken@example.com",
        country: "DE",
        credit: "1",
        active: true,
        since: null,
        state: null,
        labels: null,
        extra: null,
      },
      missingId: "987654321",
      lookupField: "email",
    },
    faults: {
      wrongCredentials: { username: "postgres", password: "guess-word-1" },
      unreachable: configOf(database, await closedPort()),
      silent: configOf(database, silent.port),
      untrustedCertificate: { ...configOf(database), host: "localhost", encryption: "verified" },
      loseAnswers: async () => line.cutAnswersTo(/INSERT INTO|UPDATE |DELETE FROM/),
    },
    async stop() {
      await line.stop();
      await silent.stop();
      await client.end();
    },
  };
}

testConnector({ definition: postgresConnector, start: () => startSystem() });

/** The same promises for a table whose rows only two columns together tell apart. */
async function startJoinedSystem(): Promise<SystemUnderTest> {
  const client = await newDatabase("joined");
  await client.query(`
    CREATE TABLE line (
      part text, position int, customer bigint NOT NULL REFERENCES customer, note text NOT NULL CHECK (note <> ''),
      pieces int, updated_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (customer, part, position));
    CREATE TABLE no_line (one int, two int, PRIMARY KEY (one, two));
    INSERT INTO line SELECT 'p"' || n % 3, n, 1 + n % 5, 'Line ' || n, n FROM generate_series(1, 30) n`);
  const base = await startSystem("joined_base");
  let made = 100;
  const keyed = (id: string): unknown[] => JSON.parse(id);
  const one = "WHERE customer = $1 AND part = $2 AND position = $3";
  return {
    ...base,
    config: configOf("joined"),
    entity: "line",
    emptyEntity: "no_line",
    expected: {
      idField: '["customer","part","position"]',
      types: { note: "string", pieces: "integer", position: "integer" },
      references: { customer: "customer" },
    },
    outside: {
      async create() {
        made += 1;
        await client.query("INSERT INTO line (customer, part, position, note) VALUES (7, 'out, side', $1, 'x')", [
          made,
        ]);
        return `["7", "out, side", "${made}"]`;
      },
      async update(id) {
        await client.query(`UPDATE line SET pieces = coalesce(pieces, 0) + 1, note = note || '!' ${one}`, keyed(id));
      },
      async remove(id) {
        await client.query(`DELETE FROM line ${one}`, keyed(id));
      },
    },
    writes: {
      valid: (n) => ({ customer: "9", part: `w'${n}`, position: n, note: `Written ${n}`, pieces: 1 }),
      change: { note: "Changed", pieces: null },
      invalid: { customer: "9", part: "bad", position: 1, note: "", pieces: null },
      missingId: '["9", "nowhere", "1"]',
      lookupField: "note",
    },
    faults: { ...base.faults, loseAnswers: undefined },
    async stop() {
      await base.stop();
      await client.end();
    },
  };
}

describe("a key of several columns", () => {
  testConnector({ definition: postgresConnector, start: startJoinedSystem });

  test("no text but an id of such rows finds or changes one", async () => {
    const client = await newDatabase("keys");
    await client.query(`CREATE TABLE pair (one int, two text, note text, PRIMARY KEY (one, two));
      INSERT INTO pair VALUES (1, 'a', 'first'), (2, 'b', 'second')`);
    const connection = connectTo(postgresConnector, { config: configOf("keys"), credentials });
    const entity = await entityNamed(connection, "pair");
    const ids = ['["1", "a"]', '["1"]', '["1", "a", "x"]', '["x", "a"]', "1", "[", '["1", null]', '{"one":1}'];
    const fields = fieldNames(entity);
    for (const id of ids) {
      const found = await connection.getByIds?.({ entity, fields, ids: [id] });
      expect(found?.map((record) => record.values["note"])).toEqual(id === ids[0] ? ["first"] : []);
    }
    const wrong = ids.slice(1).filter((id) => id !== '["x", "a"]');
    const operations = wrong.map((id, at) => ({
      kind: "update" as const,
      id,
      values: { one: 2, two: "b", note: "wrong" },
      idempotencyKey: `k${at}`,
    }));
    const outcomes = await connection.write?.({ entity, operations });
    expect(outcomes).toEqual(wrong.map(() => ({ status: "missing" })));
    const { rows } = await client.query("SELECT note FROM pair ORDER BY one");
    expect(rows).toEqual([{ note: "first" }, { note: "second" }]);
    await connection.close();
    await client.end();
  });
});
