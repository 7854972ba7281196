/** Reads the pipelines table page by page to its end, however many rows it has. */
import { listPipelines, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { call, type Input } from "../app/api.ts";

/** The largest page that can be asked for. */
const PAGE_SIZE = 100;
/** Pages after which reading ends, whatever the total says: it may change between two of them. */
const MAX_PAGES = 100;

type Narrowed = Omit<NonNullable<Input<typeof listPipelines>["query"]>, "page" | "pageSize">;

export async function everyPipeline(narrowed: Narrowed, signal: AbortSignal): Promise<{ rows: PipelineRow[] }> {
  const rows: PipelineRow[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const reply = await call(listPipelines, { query: { ...narrowed, page, pageSize: PAGE_SIZE } }, { signal });
    rows.push(...reply.rows);
    if (reply.rows.length < PAGE_SIZE || rows.length >= reply.total) break;
  }
  return { rows };
}
