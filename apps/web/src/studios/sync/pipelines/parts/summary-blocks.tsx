/** Counts over all pipelines; a press narrows the table to that state. */
import type { PipelineSummary } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../../app/words.ts";

interface Props {
  summary: PipelineSummary;
  filters: Picked;
  onPick: (picked: Picked) => void;
}

interface Picked {
  pipelineState?: string | undefined;
  pipelineStatus?: string | undefined;
}

const BLOCKS = [
  { id: "total", filter: {} },
  { id: "draft", filter: { pipelineStatus: "Draft" } },
  { id: "running", filter: { pipelineState: "Running" } },
  { id: "resyncing", filter: { pipelineState: "Resyncing" } },
  { id: "paused", filter: { pipelineState: "Paused" } },
  { id: "error", filter: { pipelineState: "Error" } },
  { id: "warning", filter: { pipelineState: "Warning" } },
] as const satisfies readonly { id: keyof PipelineSummary; filter: Picked }[];

const NONE: Picked = { pipelineState: undefined, pipelineStatus: undefined };
const isPicked = (filter: Picked, { pipelineState, pipelineStatus }: Picked): boolean =>
  filter.pipelineState === pipelineState && filter.pipelineStatus === pipelineStatus;

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
