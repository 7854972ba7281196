/** A number of records, and whether it is exact. */
import type { RecordCount } from "@accord/contracts/data/records";
import { Tooltip } from "@mantine/core";
import { useWords } from "../../../app/words.ts";

export function CountView({ count, quietZero = false }: { count: RecordCount | undefined; quietZero?: boolean }) {
  const { t } = useWords("data");
  if (!count) return <span className="ac-quiet">–</span>;
  const text = t(`count.${count.precision}`, { count: count.count });
  if (count.precision !== "exact")
    return (
      <Tooltip label={t("count.estimatedHint")} multiline w={260}>
        <span tabIndex={0}>{text}</span>
      </Tooltip>
    );
  return <span className={quietZero && count.count === 0 ? "ac-quiet" : undefined}>{text}</span>;
}
