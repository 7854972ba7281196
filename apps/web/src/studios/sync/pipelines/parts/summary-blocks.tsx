/** Counts over all pipelines; a press narrows the table to that state. */
import type { PipelineSummary } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../../app/words.ts";

interface Props {
  summary: PipelineSummary;
  active: string | undefined;
  onPick: (state: string | undefined) => void;
}

const BLOCKS = [
  { id: "total", state: undefined },
  { id: "draft", state: undefined },
  { id: "running", state: "Running" },
  { id: "resyncing", state: "Resyncing" },
  { id: "paused", state: "Paused" },
  { id: "error", state: "Error" },
  { id: "warning", state: "Warning" },
] as const;

export function SummaryBlocks({ summary, active, onPick }: Props) {
  const { t } = useWords("sync");
  return (
    <ul className="ac-summary" aria-label={t("table.summary")}>
      {BLOCKS.map((block) => (
        <li key={block.id} data-kind={block.id} data-some={summary[block.id] > 0 || undefined}>
          {block.state ? (
            <button
              type="button"
              aria-pressed={active === block.state}
              onClick={() => onPick(active === block.state ? undefined : block.state)}
            >
              <Block id={block.id} count={summary[block.id]} />
            </button>
          ) : (
            <div>
              <Block id={block.id} count={summary[block.id]} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Block({ id, count }: { id: (typeof BLOCKS)[number]["id"]; count: number }) {
  const { t } = useWords("sync");
  return (
    <>
      <span className="ac-summary__count">{count.toLocaleString("en-US")}</span>
      <span className="ac-summary__label">{t(`table.count_${id}`)}</span>
    </>
  );
}
