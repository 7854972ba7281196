/** The first records of a source for a live run, read from its system now. */
import type { ReadPage } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { type RunsDependencies, schemaAt, type TestPipeline } from "../../runs/index.ts";

interface SourceRead {
  place: TestPipeline["plan"]["sources"][number]["place"];
  count: number;
  signal: AbortSignal;
}

export async function readSource(
  { connectors }: { connectors: Pick<RunsDependencies["connectors"], "openConnection"> },
  instanceId: Id<"instance">,
  pipeline: TestPipeline,
  { place, count, signal }: SourceRead,
): Promise<Pick<ReadPage, "records" | "bad" | "warnings">> {
  const connection = await connectors.openConnection(instanceId, place.connectorId, { signal });
  try {
    const entity = schemaAt(pipeline, place.id);
    const fields = [...place.readFields];
    const page = await connection.read({ entity, fields, cursor: null, mode: "all", pageSize: count });
    const records = page.records.filter(({ deleted }) => !deleted).slice(0, count);
    return { records, bad: (page.bad ?? []).slice(0, count), warnings: page.warnings ?? [] };
  } finally {
    await connection.close();
  }
}
