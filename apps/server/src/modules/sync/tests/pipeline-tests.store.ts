/** Tests of pipelines as people saved them, each with the outcome of its newest finished run. */
import type {
  ActualResult,
  ExpectedValue,
  TestRecord,
  TestResult,
  TestRunStatus,
} from "@accord/contracts/sync/tests/pipeline-tests";
import type { QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { exactValueTypes } from "../../../platform/db/value-types.ts";
import { quoteIdentifier } from "../../data/schema/index.ts";

/** Whose tests are meant; `fieldId` is empty for those of the entity pipeline. */
export interface TestOwner {
  instanceId: string;
  pipelineId: string;
  fieldId: string;
}

export interface StoredTest {
  id: string;
  name: string;
  records: TestRecord[];
  expected: ExpectedValue[];
  revision: number;
  updatedAt: string;
}

export interface TestOutcome {
  status: TestRunStatus;
  actual: ActualResult;
  recordsProcessed: number;
  details: TestResult | null;
  /** What it is about: see `isOutdated`. */
  testRevision: number | null;
  graphsHash: string | null;
  graphVersion: "draft" | "published";
  testedAt: string;
}

const COLUMNS = "t.id, t.name, t.records, t.expected, t.revision, t.updated_at";

export function pipelineTestsStore(pool: Pool) {
  const tableOf = (instanceId: string, name: string): string =>
    `${quoteIdentifier(instanceSchema(instanceId))}.${name}`;

  /** `whole`: with records, expected values, and what each node did. */
  async function read(owner: TestOwner, testId: string | null, whole: boolean) {
    const columns = whole
      ? COLUMNS
      : "t.id, t.name, '[]'::json AS records, '[]'::json AS expected, t.revision, t.updated_at";
    const { rows } = await pool.query({
      types: exactValueTypes,
      text: `SELECT ${columns}, r.status, r.actual, r.records AS processed, r.test_revision, r.graphs_hash, r.graph_version,
         r.requested_at, ${whole ? "r.details" : "NULL AS details"}
       FROM ${tableOf(owner.instanceId, "pipeline_test")} t
       LEFT JOIN LATERAL (SELECT r.*, run.graph_version, run.requested_at
         FROM ${tableOf(owner.instanceId, "pipeline_test_result")} r
         JOIN ${tableOf(owner.instanceId, "pipeline_test_run")} run ON run.id = r.run_id
         WHERE r.test_id = t.id ORDER BY r.run_id DESC LIMIT 1) r ON true
       WHERE t.pipeline_id = $1 AND t.field_id = $2 AND ($3::text IS NULL OR t.id = $3) ORDER BY t.id`,
      values: [owner.pipelineId, owner.fieldId, testId],
    });
    return rows.map((row) => ({ test: readTest(row), outcome: readOutcome(row) }));
  }

  return {
    /** Without records and expected values. */
    list: (owner: TestOwner) => read(owner, null, false),
    find: async (owner: TestOwner, testId: string) => (await read(owner, testId, true))[0],

    /** Whose tests a pipeline has: ids of its fields, the empty one for those of the entity pipeline. */
    async fieldsWithTests(instanceId: string, pipelineId: string): Promise<string[]> {
      const { rows } = await pool.query(
        `SELECT DISTINCT field_id FROM ${tableOf(instanceId, "pipeline_test")} WHERE pipeline_id = $1 ORDER BY field_id`,
        [pipelineId],
      );
      return rows.map((row) => row.field_id);
    },

    async all(owner: TestOwner): Promise<StoredTest[]> {
      const { rows } = await pool.query({
        types: exactValueTypes,
        text: `SELECT ${COLUMNS} FROM ${tableOf(owner.instanceId, "pipeline_test")} t
         WHERE t.pipeline_id = $1 AND t.field_id = $2 ORDER BY t.id`,
        values: [owner.pipelineId, owner.fieldId],
      });
      return rows.map(readTest);
    },

    async chosen(owner: TestOwner, testIds: readonly string[]): Promise<StoredTest[]> {
      const { rows } = await pool.query({
        types: exactValueTypes,
        text: `SELECT ${COLUMNS} FROM ${tableOf(owner.instanceId, "pipeline_test")} t
         WHERE t.pipeline_id = $1 AND t.field_id = $2 AND t.id = ANY($3::text[]) ORDER BY array_position($3::text[], t.id)`,
        values: [owner.pipelineId, owner.fieldId, testIds],
      });
      return rows.map(readTest);
    },

    /** Whether it was added: a name that is taken, or too many tests, leave all as it is. */
    async add(
      owner: TestOwner,
      test: Pick<StoredTest, "id" | "name" | "records" | "expected">,
      limit: number,
    ): Promise<"added" | "name_taken" | "too_many"> {
      const table = tableOf(owner.instanceId, "pipeline_test");
      const { rows } = await pool.query(
        `WITH room AS (SELECT count(*) < $7 AS is_there FROM ${table} WHERE pipeline_id = $2 AND field_id = $3),
         added AS (INSERT INTO ${table} (id, pipeline_id, field_id, name, records, expected)
           SELECT $1, $2, $3, $4, $5::json, $6::json FROM room WHERE is_there ON CONFLICT DO NOTHING RETURNING id)
         SELECT is_there, EXISTS (SELECT FROM added) AS is_added FROM room`,
        [
          test.id,
          owner.pipelineId,
          owner.fieldId,
          test.name,
          JSON.stringify(test.records),
          JSON.stringify(test.expected),
          limit,
        ],
      );
      if (rows[0]?.is_added) return "added";
      return rows[0]?.is_there ? "name_taken" : "too_many";
    },

    async update(
      owner: TestOwner,
      test: Omit<StoredTest, "updatedAt">,
    ): Promise<"updated" | "name_taken" | "not_updated"> {
      const table = tableOf(owner.instanceId, "pipeline_test");
      const { rows } = await pool.query(
        `WITH taken AS (SELECT EXISTS (SELECT FROM ${table}
           WHERE pipeline_id = $2 AND field_id = $3 AND lower(name) = lower($4) AND id <> $1) AS is_taken),
         updated AS (UPDATE ${table} SET name = $4, records = $5::json, expected = $6::json, revision = revision + 1,
             updated_at = now()
           WHERE id = $1 AND pipeline_id = $2 AND field_id = $3 AND revision = $7 AND NOT (SELECT is_taken FROM taken)
           RETURNING id)
         SELECT is_taken, EXISTS (SELECT FROM updated) AS is_updated FROM taken`,
        [
          test.id,
          owner.pipelineId,
          owner.fieldId,
          test.name,
          JSON.stringify(test.records),
          JSON.stringify(test.expected),
          test.revision,
        ],
      );
      if (rows[0]?.is_updated) return "updated";
      return rows[0]?.is_taken ? "name_taken" : "not_updated";
    },

    async remove(owner: TestOwner, testId: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `DELETE FROM ${tableOf(owner.instanceId, "pipeline_test")} WHERE id = $1 AND pipeline_id = $2 AND field_id = $3`,
        [testId, owner.pipelineId, owner.fieldId],
      );
      return rowCount === 1;
    },
  };
}

export type PipelineTestsStore = ReturnType<typeof pipelineTestsStore>;

const readTest = (row: QueryResultRow): StoredTest => ({
  id: row["id"],
  name: row["name"],
  records: row["records"],
  expected: row["expected"],
  revision: row["revision"],
  updatedAt: row["updated_at"],
});

const readOutcome = (row: QueryResultRow): TestOutcome | null =>
  row["status"] === null
    ? null
    : {
        status: row["status"],
        actual: row["actual"],
        recordsProcessed: row["processed"],
        details: row["details"],
        testRevision: row["test_revision"],
        graphsHash: row["graphs_hash"],
        graphVersion: row["graph_version"],
        testedAt: row["requested_at"],
      };
