/** The order of rows in the Pipeline Details table: by one column, over all rows and not only those of a page. */
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import {
  PIPELINE_SORT_COLUMNS,
  type PipelineSort,
  type PipelineSortColumn,
} from "@accord/contracts/sync/pipeline-sort";

/** Natural order of texts: `Airport 9` before `Airport 10`, `airports` before `User`. */
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

const UNIT_MS = { ms: 1, s: 1000, min: 60_000 } as const;

const VALUES: Readonly<Record<PipelineSortColumn, (row: PipelineRow) => string | number | null>> = {
  name: (row) => row.name,
  apiName: (row) => row.apiName,
  problems: (row) => row.errorCount + row.warningCount,
  last: (row) => row.lastCompletedSync,
  lag: (row) => row.lagInSeconds,
  duration: ({ lastCycleDuration: took }) => (took ? took.duration * UNIT_MS[took.durationUnit] : null),
  transactions: (row) => row.transactionsInLastCycle,
  fields: (row) => row.fieldsMapped,
  version: (row) => row.numberOfVersions,
  modified: (row) => row.lastModifiedOn,
  published: (row) => row.lastPublishedOn,
  publishedBy: ({ lastPublishedBy: by }) => by && `${by.firstName} ${by.lastName}`.trim(),
  pausedBy: (row) => row.pausedBy,
};

const byName = (left: PipelineRow, right: PipelineRow): number =>
  collator.compare(left.name, right.name) || collator.compare(left.apiName, right.apiName);

/**
 * The rows by a column, `-` before its name for descending. Rows without a value are the last in
 * either direction; equal ones are in the order of their names, so that pages neither repeat nor omit a row.
 */
export function orderRows(rows: readonly PipelineRow[], sort: PipelineSort): PipelineRow[] {
  const isDescending = sort.startsWith("-");
  const valueOf = VALUES[PIPELINE_SORT_COLUMNS.find((column) => sort === column || sort === `-${column}`) ?? "name"];
  return rows.toSorted((left, right) => {
    const [one, other] = [valueOf(left), valueOf(right)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(left, right);
    const order =
      typeof one === "number" && typeof other === "number" ? one - other : collator.compare(String(one), String(other));
    return (isDescending ? -order : order) || byName(left, right);
  });
}
