/** What became of the tried record at one node, on its card, in the list and in its form. */
import { StatusTag, type Tone } from "@accord/ui";
import { IconCheck, IconMinus, IconPlayerPlay, IconPlayerStop, IconX, type Icon } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import { statusAt, type TryStatus } from "./try.model.ts";
import { useTried } from "./try-context.tsx";
import "./try-tag.css";

const LOOKS: Record<TryStatus, { tone: Tone; Sign: Icon }> = {
  passed: { tone: "ok", Sign: IconCheck },
  failed: { tone: "error", Sign: IconX },
  skipped: { tone: "info", Sign: IconPlayerPlay },
  not_reached: { tone: "idle", Sign: IconMinus },
  not_run: { tone: "idle", Sign: IconPlayerStop },
};

/** Nothing while no record is tried, or of a node that is newer than the result. */
export function TryTag({ nodeId }: { nodeId: string }) {
  const { t } = useWords("sync");
  const status = useTried(({ chosen, result }) => (chosen && result ? statusAt(result, nodeId) : null));
  const isCurrent = useTried((state) => state.isCurrent);
  if (status === null) return null;
  const text = t(`try.status.${status}`);
  const { tone, Sign } = LOOKS[status];
  return (
    <span className="ac-try__tag" data-outdated={!isCurrent || undefined}>
      <StatusTag tone={tone} title={isCurrent ? text : t("try.outdatedStatus", { status: text })}>
        <span className="ac-try__word">{text}</span>
        <Sign className="ac-try__sign" size={14} stroke={2.6} aria-hidden />
      </StatusTag>
    </span>
  );
}
