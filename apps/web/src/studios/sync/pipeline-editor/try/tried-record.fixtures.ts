/** An answer of trying a record, for tests of what shows it. */
import { TriedRecord } from "@accord/contracts/sync/tests/try-record";

export const triedRecord = (more: Partial<TriedRecord>): TriedRecord =>
  TriedRecord.parse({
    record: { externalId: "1", values: {}, assumed: [] },
    nodes: [],
    notRun: [],
    edges: [],
    core: { outcome: "unchanged", recordId: "r", before: {}, after: {}, message: null },
    destinations: [],
    ...more,
  });
