/**
 * 100,000 JSON records of about 330 bytes over HTTP in pages of 1,000 into a core entity with links and ledger: once
 * through a filter and five mapped fields, once through ten nodes. The limit is a script by hand: four readers, one
 * upsert by unnest a page, and one ledger row per change. `--unchanged` measures the same again with nothing changed,
 * against only reading the pages. `--records N` takes another number, `--plain` and `--ten` one of the graphs. `--memory`
 * reads 5,000,000 instead and tells this process's memory on the way.
 *
 * Script and pipeline run in turn, three rounds (`--rounds N`), each in a fresh database; the best round of each counts.
 * So both are warm, as a server is, and what else the machine does in a moment says less.
 */
import type { Connection } from "@accord/connector-sdk";
import { closeTestDatabases, testDatabase, type TestDatabase } from "../../apps/server/test-kit/database/database.ts";
import { leaveTestCluster } from "../../apps/server/test-kit/database/test-cluster.ts";
import { outside, PAGE, PLAIN, prepare, READERS, startSource, TEN, type Work } from "./parts/bench-pipeline.ts";
import { type ProcessorTime, processorTimed } from "./parts/processor-time.ts";
import type { Row } from "./parts/ten-nodes.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

export const measure: Measure = async (words, say) => {
  const isMemory = words.includes("--memory");
  const records = numberAfter(words, "--records", isMemory ? 5_000_000 : 100_000);
  const works = words.includes("--plain") ? [PLAIN] : words.includes("--ten") ? [TEN] : [PLAIN, TEN];
  const source = await startSource(records);
  try {
    const results: Measurement[] = [];
    const measured = isMemory ? measureMemory : measureWork;
    for (const work of works) results.push(...(await measured(work, records, source.url, words, say)));
    return results;
  } finally {
    source.stop();
    await closeTestDatabases();
    await leaveTestCluster();
  }
};

/** Read records after which memory is told. */
const MARKS = [100_000, 1_000_000, 5_000_000];

/** The most memory this process held up to each mark, against the most it held up to the one before. */
async function measureMemory(
  work: Work,
  records: number,
  url: string,
  _words: readonly string[],
  say: (line: string) => void,
): Promise<Measurement[]> {
  const database = await testDatabase();
  try {
    const sync = await prepare(database, url, work);
    const marks = MARKS.filter((mark) => mark <= records);
    const most = marks.map(() => 0);
    const began = performance.now();
    let at = 0;
    await sync.cycle((read) => {
      most[at] = Math.max(most[at] ?? 0, process.memoryUsage.rss());
      if (read < (marks[at] ?? Infinity)) return;
      say(
        `${work.name}: ${marks[at]} records, ${megabytes(most[at])} MB, ${Math.round((performance.now() - began) / 1000)} s`,
      );
      at += 1;
    });
    return marks.map((mark, index) => ({
      name: `${work.name}: memory up to ${mark} records`,
      ours: megabytes(most[index]),
      limit: megabytes(most[Math.max(0, index - 1)]),
      unit: "MB",
      better: "less",
      rssMb: peakRssMb(),
    }));
  } finally {
    await database.drop();
  }
}

const megabytes = (bytes: number | undefined): number => Math.round((bytes ?? 0) / 1024 ** 2);

async function measureWork(
  work: Work,
  records: number,
  url: string,
  words: readonly string[],
  say: (line: string) => void,
): Promise<Measurement[]> {
  const best = new Map<string, Measurement>();
  for (let left = numberAfter(words, "--rounds", 3); left > 0; left -= 1) {
    for (const round of await measureRound(work, records, url, words, say)) {
      const { ours = 0, limit = 0 } = best.get(round.name) ?? {};
      best.set(round.name, { ...round, ours: Math.max(ours, round.ours), limit: Math.max(limit, round.limit) });
    }
  }
  return [...best.values()];
}

async function measureRound(
  work: Work,
  records: number,
  url: string,
  words: readonly string[],
  say: (line: string) => void,
): Promise<Measurement[]> {
  const database = await testDatabase();
  try {
    const sync = await prepare(database, url, work);
    const { pool } = database.data;
    const { result: limit, time } = await processorTimed(pool, () => byHand(database, url, records, work));
    say(`${work.name}, by hand: ${Math.round(limit)} records/s, ${spent(time, records)}`);
    const { result: first, time: ownTime } = await processorTimed(pool, () => sync.cycle());
    const ours = records / first.seconds;
    say(`${work.name}: ${Math.round(ours)} records/s, ${spent(ownTime, records)}`);
    if (first.counts.created === 0) throw new Error(`nothing arrived: ${JSON.stringify(first.counts)}`);
    const common = { unit: "records/s", better: "more" as const };
    const results = [{ name: `${work.name}: ${records} records`, ours, limit, ...common, rssMb: peakRssMb() }];
    if (!words.includes("--unchanged")) return results;
    const reading = await onlyReading(sync.connect, records, work.fields);
    const written = await pool.query("SELECT pg_current_wal_lsn() AS at");
    const again = await sync.cycle();
    const { rows } = await pool.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1) AS bytes", [
      written.rows[0].at,
    ]);
    const { created, updated, absorbed } = again.counts;
    say(`unchanged: ${absorbed} absorbed, ${created + updated} changed, ${rows[0].bytes} bytes of WAL`);
    const name = `${work.name} --unchanged: ${records} records`;
    return [
      ...results,
      { name, ours: records / again.seconds, limit: records / reading, ...common, rssMb: peakRssMb() },
    ];
  } finally {
    await database.drop();
  }
}

function numberAfter(words: readonly string[], name: string, otherwise: number): number {
  const at = words.indexOf(name);
  return at < 0 ? otherwise : Number(words[at + 1]);
}

const spent = ({ process, postgres }: ProcessorTime, records: number): string => {
  const per = (seconds: number): string => ((seconds / records) * 1e6).toFixed(1);
  return `microseconds of processor a record: ${per(process)} here, ${per(postgres)} in PostgreSQL`;
};

/** What somebody would write for this one task: answers records a second. */
async function byHand({ data: { pool } }: TestDatabase, url: string, records: number, work: Work): Promise<number> {
  const { fields } = work;
  const typeOf = (name: string): string => (name === "revenue" ? "bigint" : "text");
  const columns = fields.map((name) => `${name} ${typeOf(name)}`).join(", ");
  await pool.query(`CREATE TABLE hand_record (id text COLLATE "C" PRIMARY KEY, ${columns},
    updated_at timestamptz NOT NULL DEFAULT now())`);
  await pool.query(`CREATE TABLE hand_ledger (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(), record_id text COLLATE "C" NOT NULL, changes jsonb NOT NULL)`);
  const names = fields.join(", ");
  const list = (prefix: string): string => fields.map((name) => `${prefix}${name}`).join(", ");
  const upsert = `WITH changed AS (
      INSERT INTO hand_record AS h (id, ${names})
      SELECT * FROM unnest($1::text[], ${fields.map((name, at) => `$${at + 2}::${typeOf(name)}[]`).join(", ")})
      ON CONFLICT (id) DO UPDATE SET ${fields.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}, updated_at = now()
      WHERE (${list("h.")}) IS DISTINCT FROM (${list("EXCLUDED.")})
      RETURNING id, ${names}
    )
    INSERT INTO hand_ledger (record_id, changes) SELECT id, to_jsonb(changed) - 'id' FROM changed`;
  const began = performance.now();
  let next = 1;
  async function reader(): Promise<void> {
    while (next <= Math.ceil(records / PAGE)) {
      const page = next++;
      const answer = await fetch(`${url}/customers?page=${page}&size=${PAGE}`);
      const rows = work.byHand((await answer.json()) as Row[]);
      await pool.query(upsert, [
        rows.map(({ id }) => id),
        ...fields.map((name) => rows.map((row) => row[name as keyof Row])),
      ]);
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader));
  const seconds = (performance.now() - began) / 1000;
  await pool.query("DROP TABLE hand_record, hand_ledger");
  return records / seconds;
}

/** Seconds to read every page through the connector and do nothing with it. */
async function onlyReading(connect: () => Connection, records: number, fields: readonly string[]): Promise<number> {
  const connection = connect();
  const began = performance.now();
  let cursor: Awaited<ReturnType<Connection["read"]>>["cursor"] | null = null;
  for (let read = 0; ;) {
    const page = await connection.read({
      entity: outside,
      fields: [...fields],
      cursor,
      mode: "changes",
      pageSize: PAGE,
    });
    read += page.records.length;
    cursor = page.cursor;
    if (page.drained) {
      if (read !== records) throw new Error(`read ${read} of ${records}`);
      return (performance.now() - began) / 1000;
    }
  }
}
