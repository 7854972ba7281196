/** Rows that a constraint refuses for what other rows hold, against a real PostgreSQL: tried again once those are written. */
import { hashValue, type Connection, type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import type { Values } from "@accord/contracts/data/values";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";

let server: PostgresServer;
let client: pg.Client;
let connection: Connection;

beforeAll(async () => {
  server = await startPostgresServer();
  client = await server.client();
}, 60_000);
afterAll(async () => {
  await connection?.close();
  await client?.end();
  await server?.stop();
});
beforeEach(async () => {
  await connection?.close();
  await client.query(`DROP TABLE IF EXISTS customer CASCADE;
    CREATE TABLE customer (code text PRIMARY KEY, email text, parent text REFERENCES customer, room int4range,
      CONSTRAINT customer_email UNIQUE (email), CONSTRAINT one_guest EXCLUDE USING gist (room WITH &&),
      CONSTRAINT not_bad CHECK (email <> 'bad'));
    INSERT INTO customer (code, email) SELECT 'c' || n, 'mail' || n FROM generate_series(1, 40) n`);
  connection = connectTo(postgresConnector, {
    config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none" },
    credentials: { username: "postgres", password: server.password },
  });
});

const create = (values: Values): WriteOperation => ({ kind: "create", values, idempotencyKey: "c" });
const update = (id: string, values: Values, before?: Values): WriteOperation => ({
  kind: "update",
  id,
  values,
  idempotencyKey: "u",
  ...(before && { expected: Object.fromEntries(Object.entries(before).map(([name, v]) => [name, hashValue(v)])) }),
});
const remove = (id: string): WriteOperation => ({ kind: "delete", id, idempotencyKey: "d" });
const write = async (...operations: WriteOperation[]): Promise<WriteOutcome[]> =>
  (await connection.write?.({ entity: await entityNamed(connection, "customer"), operations })) ?? [];
const statuses = (outcomes: readonly WriteOutcome[]): string[] => outcomes.map(({ status }) => status);
const emails = async (...codes: string[]) =>
  (await client.query("SELECT code, email FROM customer WHERE code = ANY ($1) ORDER BY code", [codes])).rows.map(
    ({ code, email }) => `${code} ${email}`,
  );
/** Values that move down a chain: each of the rows gets what the next one has, the last one something free. */
const chain = (length: number, isCompared: boolean): WriteOperation[] =>
  Array.from({ length }, (_, index) => {
    const [email, before] = [index + 1 === length ? "free" : `mail${index + 2}`, `mail${index + 1}`];
    return update(`c${index + 1}`, { email }, isCompared ? { email: before } : undefined);
  });

describe.each([true, false])("a unique value that moves from row to row (compared first: %s)", (isCompared) => {
  test("down a chain arrives, in whichever order the rows come", async () => {
    for (const order of [(all: WriteOperation[]) => all, (all: WriteOperation[]) => all.toReversed()]) {
      expect(new Set(statuses(await write(...order(chain(40, isCompared)))))).toEqual(new Set(["done"]));
      expect(await emails("c1", "c2", "c39", "c40")).toEqual(["c1 mail2", "c2 mail3", "c39 mail40", "c40 free"]);
      await client.query("DELETE FROM customer");
      await client.query(
        "INSERT INTO customer (code, email) SELECT 'c' || n, 'mail' || n FROM generate_series(1, 40) n",
      );
    }
    const mixed = chain(40, isCompared).toSorted((one, other) =>
      JSON.stringify(one) < JSON.stringify(other) ? 1 : -1,
    );
    expect(new Set(statuses(await write(...mixed)))).toEqual(new Set(["done"]));
  });

  test("with a row that is refused for good among them", async () => {
    const bad = update("c20", { email: "bad" }, isCompared ? { email: "mail20" } : undefined);
    const outcomes = await write(bad, ...chain(5, isCompared));
    expect(outcomes).toMatchObject([
      { status: "rejected", code: "check_failed" },
      ...Array.from({ length: 5 }, () => ({ status: "done" })),
    ]);
    expect(outcomes[0]).not.toHaveProperty("isTransient");
  });
});

test("a key that is renamed takes its unique value along: creation and deletion in one batch", async () => {
  expect(statuses(await write(create({ code: "k7", email: "mail7" }), remove("c7")))).toEqual(["done", "done"]);
  expect(await emails("c7", "k7")).toEqual(["k7 mail7"]);
});

test("a row whose parent is written by the same batch after it arrives", async () => {
  const outcomes = await write(
    create({ code: "child", parent: "parent" }),
    update("c1", { parent: "child" }),
    create({ code: "parent", email: "p" }),
  );
  expect(statuses(outcomes)).toEqual(["done", "done", "done"]);
});

test("a row that is deleted before the one that refers to it is gone in the end", async () => {
  await client.query("UPDATE customer SET parent = 'c1' WHERE code = 'c2'");
  expect(statuses(await write(remove("c1"), update("c2", { parent: null })))).toEqual(["done", "done"]);
});

test("deletions are not moved before a change that keeps a row from going with them", async () => {
  await client.query(`ALTER TABLE customer DROP CONSTRAINT customer_parent_fkey;
    ALTER TABLE customer ADD FOREIGN KEY (parent) REFERENCES customer ON DELETE CASCADE;
    UPDATE customer SET parent = 'c1' WHERE code = 'c2'`);
  expect(statuses(await write(update("c2", { parent: null }), remove("c1")))).toEqual(["done", "done"]);
  expect(await emails("c2")).toEqual(["c2 mail2"]);
});

test("a range that is freed by another row of the batch is taken", async () => {
  await client.query("UPDATE customer SET room = '[1,5)' WHERE code = 'c1'");
  const outcomes = await write(update("c2", { room: "[1,5)" }), update("c1", { room: "[7,9)" }));
  expect(statuses(outcomes)).toEqual(["done", "done"]);
});

test("what is refused at the end of the transaction is tried again like any other", async () => {
  await client.query(`ALTER TABLE customer DROP CONSTRAINT customer_email;
    ALTER TABLE customer ADD CONSTRAINT customer_email UNIQUE (email) DEFERRABLE INITIALLY DEFERRED`);
  expect(statuses(await write(create({ code: "k7", email: "mail7" }), remove("c7")))).toEqual(["done", "done"]);
  expect(await write(create({ code: "k8", email: "mail8" }))).toMatchObject([
    { status: "rejected", code: "duplicate", isTransient: true, field: "email" },
  ]);
});

test("of two changes of one row the later one stays, though only the earlier one was refused", async () => {
  await write(update("c1", { email: "mail2" }), update("c1", { email: "newest" }), update("c2", { email: "two" }));
  expect(await emails("c1", "c2")).toEqual(["c1 newest", "c2 two"]);
});

describe("what stays refused", () => {
  test("may pass later, and names the constraint, the field and the row that holds the value", async () => {
    const outcomes = await write(
      create({ code: "k1", email: "mail12" }),
      update("c3", { parent: "nowhere" }),
      update("c4", { email: "mail12" }),
      update("c5", { email: "five" }),
    );
    expect(outcomes).toMatchObject([
      { status: "rejected", code: "duplicate", isTransient: true, field: "email" },
      { status: "rejected", code: "reference_missing", isTransient: true, field: "parent" },
      { status: "rejected", code: "duplicate", isTransient: true, field: "email" },
      { status: "done" },
    ]);
    for (const index of [0, 2]) {
      expect(outcomes[index]).toMatchObject({ message: expect.stringContaining('"customer_email"') });
      expect(outcomes[index]).toMatchObject({ message: expect.stringContaining("(email)=(mail12)") });
      expect(outcomes[index]).toMatchObject({ message: expect.stringContaining("The row c12 holds it.") });
    }
    expect(outcomes[1]).toMatchObject({ message: expect.stringContaining("(parent)=(nowhere)") });
    for (const index of [0, 1, 2])
      expect(outcomes[index]).toHaveProperty("message", expect.stringContaining("Nothing of this record was written."));
  });

  test("of values that two rows or more exchange, also says what a person can do", async () => {
    const outcomes = await write(
      update("c1", { email: "mail2" }, { email: "mail1" }),
      update("c2", { email: "mail3" }, { email: "mail2" }),
      update("c3", { email: "mail1" }, { email: "mail3" }),
      update("c4", { email: "mail1" }, { email: "mail4" }),
      update("c5", { email: "five" }, { email: "mail5" }),
    );
    expect(outcomes).toMatchObject([
      { status: "rejected", message: expect.stringMatching(/c1, c2, c3 exchange.*another value.*DEFERRABLE/) },
      { status: "rejected", message: expect.stringMatching(/c2, c3, c1 exchange/) },
      { status: "rejected", message: expect.stringMatching(/c3, c1, c2 exchange/) },
      { status: "rejected", message: expect.stringMatching(/The row c1 holds it\.$/) },
      { status: "done" },
    ]);
  });

  test("is not asked about when the database can't be: the refusal itself is told", async () => {
    await client.query("CREATE UNIQUE INDEX lower_email ON customer (lower(email), (1))");
    expect(await write(update("c1", { email: "MAIL2" }))).toMatchObject([
      { status: "rejected", code: "duplicate", isTransient: true, message: expect.stringContaining("lower_email") },
    ]);
  });
});

describe("a value that its column does not take is refused with the field and what to do next", () => {
  beforeEach(() =>
    client.query(`DROP TYPE IF EXISTS stt CASCADE; CREATE TYPE stt AS ENUM ('new', 'old');
      ALTER TABLE customer ADD st stt, ADD qty int, ADD born date, ADD short varchar(5), ADD j jsonb, ADD note text,
        ADD CONSTRAINT customer_qty CHECK (qty > 0), ADD CONSTRAINT both_set CHECK (short <> note)`),
  );
  const notWritten = "Nothing of this record was written.";

  test.each([
    ["an option", "st", "weird", "one of new, old"],
    ["a number", "qty", "many", "invalid input syntax for type integer"],
    ["a number that is too large", "qty", 99_999_999_999, "out of range"],
    ["a day", "born", "2024-02-31", "out of range"],
    ["a range", "room", "[5,1)", "range"],
    ["a text that is too long", "short", "muchtoolong", "too long"],
  ])("%s", async (_what, field, value, words) => {
    const values = { email: "e", note: "n", [field]: value };
    const [outcome, other] = await write(update("c1", values), update("c2", { email: "two", note: "n" }));
    expect(outcome).toMatchObject({ status: "rejected", field });
    expect(outcome).toHaveProperty("message", expect.stringContaining(`The field is ${field}. ${notWritten}`));
    expect(outcome).toHaveProperty("message", expect.stringMatching(new RegExp(`${words}.*try again\\.$`, "i")));
    expect(other).toMatchObject({ status: "done" });
    expect(await emails("c1", "c2")).toEqual(["c1 mail1", "c2 two"]);
  });

  test("a check: with its fields and condition", async () => {
    const outcomes = await write(update("c1", { qty: -1, note: "n" }), update("c2", { short: "a", note: "a" }));
    expect(outcomes).toMatchObject([
      {
        status: "rejected",
        field: "qty",
        message: expect.stringContaining("The field is qty; the condition is CHECK ((qty > 0))"),
      },
      {
        status: "rejected",
        message: expect.stringMatching(/The fields are short, note; the condition is CHECK .*Nothing of this record/),
      },
    ]);
    expect(outcomes[1]).not.toHaveProperty("field", "short");
  });

  test("a value that is missing", async () => {
    await client.query("ALTER TABLE customer ADD must text NOT NULL DEFAULT 'x'");
    expect(await write(update("c1", { must: null, note: "n" }))).toMatchObject([
      {
        status: "rejected",
        field: "must",
        message: expect.stringContaining(`The field is must. ${notWritten} Give it a value`),
      },
    ]);
  });

  test("however many rows are refused, each keeps what the database says of it", async () => {
    const outcomes = await write(
      ...Array.from({ length: 30 }, (_, at) => update(`c${at + 1}`, { st: "weird", note: "n" })),
    );
    expect(new Set(statuses(outcomes))).toEqual(new Set(["rejected"]));
    expect(outcomes[0]).toMatchObject({ field: "st" });
    expect(outcomes[29]).toMatchObject({ message: expect.stringContaining('enum stt: "weird"') });
  });
});

describe("a row that only a rule of the database refuses, whatever its code, leaves the others alone", () => {
  const writeAll = () =>
    write(create({ code: "k1", email: "k1" }), update("c1", { email: "secret" }), update("c2", { email: "two" }));

  test.each(["42501", "PT409", "57P03", "0A000"])("a trigger that raises %s", async (state) => {
    await client.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.email = 'secret' THEN RAISE EXCEPTION 'that is closed' USING ERRCODE = '${state}'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON customer FOR EACH ROW EXECUTE FUNCTION refuse()`);
    expect(await writeAll()).toMatchObject([
      { status: "done" },
      { status: "rejected", code: "refused", message: "That is closed." },
      { status: "done" },
    ]);
    expect(await emails("c1", "c2", "k1")).toEqual(["c1 mail1", "c2 two", "k1 k1"]);
  });

  test("a trigger that fails", async () => {
    await client.query(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE found text; BEGIN
        IF NEW.email = 'secret' THEN SELECT code INTO STRICT found FROM customer WHERE email = 'nobody'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON customer FOR EACH ROW EXECUTE FUNCTION fail()`);
    expect(statuses(await writeAll())).toEqual(["done", "rejected", "done"]);
  });

  test("a value that is too large for an index", async () => {
    const large = Array.from({ length: 20_000 }, (_, index) => (index * 7919).toString(36)).join("");
    const outcomes = await write(
      create({ code: "k1", email: "k1" }),
      update("c1", { email: large }),
      update("c2", { email: "two" }),
    );
    expect(statuses(outcomes)).toEqual(["done", "rejected", "done"]);
    expect(await emails("c1", "c2", "k1")).toEqual(["c1 mail1", "c2 two", "k1 k1"]);
  });

  test("row-level security", async () => {
    await client.query(`DROP ROLE IF EXISTS limited; CREATE ROLE limited LOGIN PASSWORD 'limited-password';
      GRANT ALL ON customer TO limited; ALTER TABLE customer ENABLE ROW LEVEL SECURITY;
      CREATE POLICY open ON customer USING (true) WITH CHECK (email <> 'secret')`);
    await connection.close();
    connection = connectTo(postgresConnector, {
      config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none" },
      credentials: { username: "limited", password: "limited-password" },
    });
    expect(await writeAll()).toMatchObject([
      { status: "done" },
      { status: "rejected", code: "refused", message: expect.stringContaining("row-level security") },
      { status: "done" },
    ]);
    expect(await emails("c1", "c2", "k1")).toEqual(["c1 mail1", "c2 two", "k1 k1"]);
    // A right that is missing is no matter of a row.
    await client.query("REVOKE UPDATE ON customer FROM limited");
    await expect(write(update("c2", { email: "three" }))).rejects.toMatchObject({ kind: "permission" });
  });
});

describe("a row that a trigger leaves as it is, without an error", () => {
  beforeEach(() =>
    client.query(`CREATE OR REPLACE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF OLD.code = 'c1' THEN RETURN NULL; ELSIF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$;
      CREATE TRIGGER skip BEFORE UPDATE OR DELETE ON customer FOR EACH ROW EXECUTE FUNCTION skip()`),
  );
  const skipped = { status: "rejected", isTransient: true, message: expect.stringContaining("skips the change") };

  test.each([true, false])("is neither changed nor missing (compared first: %s)", async (isCompared) => {
    const before = (email: string) => (isCompared ? { email } : undefined);
    const outcomes = await write(
      update("c1", { email: "one" }, before("mail1")),
      update("c2", { email: "two" }, before("mail2")),
      update("gone", { email: "three" }, before("mail3")),
    );
    expect(outcomes).toMatchObject([skipped, { status: "done" }, { status: "missing" }]);
  });

  test("is not deleted, where it was compared first", async () => {
    const expected = { email: hashValue("mail1") };
    const removed = await write({ kind: "delete", id: "c1", idempotencyKey: "d", expected });
    expect(removed).toMatchObject([skipped]);
  });
});

test("values that two rows exchange are written where the constraint is checked after the statement", async () => {
  await client.query(`ALTER TABLE customer DROP CONSTRAINT customer_email;
    ALTER TABLE customer ADD CONSTRAINT customer_email UNIQUE (email) DEFERRABLE`);
  const swap = [
    update("c1", { email: "mail2" }, { email: "mail1" }),
    update("c2", { email: "mail1" }, { email: "mail2" }),
  ];
  expect(statuses(await write(...swap))).toEqual(["done", "done"]);
  expect(await emails("c1", "c2")).toEqual(["c1 mail2", "c2 mail1"]);
});
