/** The MySQL connector against a real MariaDB server: the conformance kit, for one key and for a joined one. */
import { testConnector, type SystemUnderTest } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll } from "vitest";
import { startMariaDbServer, type MariaDbServer } from "../../test-systems/mariadb-server.ts";
import { breakableConnection, closedPort, silentPort } from "../../test-systems/tcp-faults.ts";
import { mysqlConnector } from "./index.ts";

const SCHEMA = `
  CREATE TABLE country (code VARCHAR(2) PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE customer (
    id BIGINT AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(200) NOT NULL CHECK (name <> ''),
    email VARCHAR(80) UNIQUE,
    country VARCHAR(2), FOREIGN KEY (country) REFERENCES country (code),
    credit DECIMAL(12, 2),
    rating DOUBLE,
    active BOOLEAN NOT NULL DEFAULT TRUE,
    since DATE,
    state ENUM('calm', 'busy'),
    labels SET('a', 'b', 'x', 'y'),
    extra JSON,
    shout VARCHAR(200) AS (UPPER(name)) STORED,
    updated_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)
  );
  CREATE TABLE nothing (id INT PRIMARY KEY, note TEXT);
  INSERT INTO country VALUES ('DE', 'Germany'), ('JP', 'Japan');
  INSERT INTO customer (name, email, country, credit, rating, since, state, labels, extra)
  SELECT CONCAT('Customer ', seq), CONCAT('c', seq, '@example.com'), IF(seq % 2 = 0, 'DE', 'JP'), seq * 10.25, seq / 3.0,
         DATE '2024-01-31' + INTERVAL seq DAY, 'busy', 'a,b', JSON_OBJECT('n', seq)
  FROM seq_1_to_30`;

let server: MariaDbServer;
const credentials = { username: "accord", password: "throw-away" };
const configOf = (database: string, port = server.port) => ({
  host: "127.0.0.1",
  port,
  database,
  encryption: "none",
  connectSeconds: 1,
});

beforeAll(async () => {
  server = await startMariaDbServer();
}, 60_000);
afterAll(() => server?.stop());

async function newDatabase(name: string, schema: string) {
  const client = await server.client();
  await client.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4; USE ${name}; ${schema}`);
  return client;
}

async function startSystem(): Promise<SystemUnderTest> {
  const client = await newDatabase("kit", SCHEMA);
  const silent = await silentPort();
  const line = await breakableConnection(server.port);
  let made = 0;
  return {
    config: configOf("kit", line.port),
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
        labels: "picklist",
        extra: "object",
        updated_at: "datetime",
      },
      references: { country: "country" },
    },
    outside: {
      async create() {
        made += 1;
        const [result] = await client.query("INSERT INTO customer (name) VALUES (?)", [`Outside ${made}`]);
        return String("insertId" in result ? result.insertId : "");
      },
      async update(id) {
        await client.query(
          "UPDATE customer SET rating = COALESCE(rating, 0) + 1, name = CONCAT(name, '!') WHERE id = ?",
          [id],
        );
      },
      async remove(id) {
        await client.query("DELETE FROM customer WHERE id = ?", [id]);
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
        labels: ["x", "y"],
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
      },
      missingId: "987654321",
      lookupField: "email",
    },
    faults: {
      wrongCredentials: { username: "accord", password: "guess-word-1" },
      unreachable: configOf("kit", await closedPort()),
      silent: configOf("kit", silent.port),
      untrustedCertificate: { ...configOf("kit"), host: "localhost", encryption: "verified" },
      loseAnswers: async () => line.cutAnswersTo(/COMMIT\b/),
    },
    async stop() {
      await line.stop();
      await silent.stop();
      await client.end();
    },
  };
}

testConnector({ definition: mysqlConnector, start: startSystem });

/** The same promises for a table whose rows only three columns together identify. */
async function startJoinedSystem(): Promise<SystemUnderTest> {
  const client = await newDatabase(
    "joined",
    `CREATE TABLE customer (id BIGINT PRIMARY KEY);
     CREATE TABLE line (
       part VARCHAR(40), position INT, customer BIGINT NOT NULL, note VARCHAR(80) NOT NULL CHECK (note <> ''), pieces INT,
       updated_at DATETIME(6) NOT NULL DEFAULT NOW(6) ON UPDATE NOW(6),
       PRIMARY KEY (customer, part, position), FOREIGN KEY (customer) REFERENCES customer (id));
     CREATE TABLE no_line (one INT, two INT, PRIMARY KEY (one, two));
     INSERT INTO customer SELECT seq FROM seq_1_to_9;
     INSERT INTO line (part, position, customer, note, pieces)
     SELECT CONCAT('p"', seq % 3), seq, 1 + seq % 5, CONCAT('Line ', seq), seq FROM seq_1_to_30`,
  );
  let made = 100;
  const keyed = (id: string): unknown[] => JSON.parse(id);
  const one = "WHERE customer = ? AND part = ? AND position = ?";
  return {
    config: configOf("joined"),
    credentials,
    entity: "line",
    seeded: 30,
    emptyEntity: "no_line",
    expected: {
      idField: '["customer","part","position"]',
      types: { note: "string", pieces: "integer", position: "integer" },
      references: { customer: "customer" },
    },
    outside: {
      async create() {
        made += 1;
        await client.query("INSERT INTO line (customer, part, position, note) VALUES (7, 'out, side', ?, 'x')", [made]);
        return `["7","out, side","${made}"]`;
      },
      async update(id) {
        await client.query(
          `UPDATE line SET pieces = COALESCE(pieces, 0) + 1, note = CONCAT(note, '!') ${one}`,
          keyed(id),
        );
      },
      async remove(id) {
        await client.query(`DELETE FROM line ${one}`, keyed(id));
      },
    },
    writes: {
      valid: (n) => ({ customer: "9", part: `w'${n}`, position: n, note: `Written ${n}`, pieces: 1 }),
      change: { note: "Changed", pieces: null },
      invalid: { customer: "9", part: "bad", position: 1, note: "", pieces: 1 },
      missingId: '["9","missing","1"]',
    },
    faults: {
      wrongCredentials: { username: "accord", password: "guess-word-1" },
      unreachable: configOf("joined", await closedPort()),
    },
    stop: () => client.end(),
  };
}

testConnector({ definition: { ...mysqlConnector, displayName: "MySQL with joined keys" }, start: startJoinedSystem });
