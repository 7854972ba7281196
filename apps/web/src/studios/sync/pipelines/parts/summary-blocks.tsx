/** Counts over all pipelines; a press lists what was counted, whatever else the table was narrowed to. */
import type { PipelineSummary } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../../app/words.ts";
import type { PipelinesSearch } from "../routes.tsx";

interface Props {
  summary: PipelineSummary;
  filters: Picked;
  onPick: (picked: Picked) => void;
}

const NARROWED_BY = [
  "pipelineState",
  "pipelineStatus",
  "search",
  "sources",
  "destinations",
  "agreement",
  "unmapped",
] as const;
type Picked = Pick<PipelinesSearch, (typeof NARROWED_BY)[number]>;

const BLOCKS = [
  { id: "total", filter: {} },
  { id: "draft", filter: { pipelineStatus: "Draft" } },
  { id: "running", filter: { pipelineState: "Running" } },
  { id: "resyncing", filter: { pipelineState: "Resyncing" } },
  { id: "paused", filter: { pipelineState: "Paused" } },
  { id: "error", filter: { pipelineState: "Error" } },
  { id: "warning", filter: { pipelineState: "Warning" } },
] as const satisfies readonly { id: keyof PipelineSummary; filter: Picked }[];

const NONE: Picked = {
  pipelineState: undefined,
  pipelineStatus: undefined,
  search: undefined,
  sources: undefined,
  destinations: undefined,
  agreement: undefined,
  unmapped: undefined,
};
const isPicked = (filter: Picked, filters: Picked): boolean =>
  NARROWED_BY.every((key) => (filter[key] ?? "") === (filters[key] ?? ""));

export function SummaryBlocks({ summary, filters, onPick }: Props) {
  const { t } = useWords("sync");
  return (
    <ul className="ac-summary" aria-label={t("table.summary")}>
      {BLOCKS.map((block) => (
        <li key={block.id} data-kind={block.id} data-some={summary[block.id] > 0 || undefined}>
          <button
            type="button"
            aria-pressed={isPicked(block.filter, filters)}
            onClick={() => onPick({ ...NONE, ...(isPicked(block.filter, filters) ? {} : block.filter) })}
          >
            <Block id={block.id} count={summary[block.id]} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Block({ id, count }: { id: (typeof BLOCKS)[number]["id"]; count: number }) {
  const { t } = useWords("sync");
  return (
    <>
      <span className="ac-summary__count">{count.toLocaleString("en-US")}</span>{" "}
      <span className="ac-summary__label">{t(`table.count_${id}`)}</span>
    </>
  );
}
