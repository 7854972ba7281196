/** What a resync would change, counted before anything is written. */
import { ErrorBox, KeyValueList } from "@accord/ui";
import type { ReplyOf } from "@accord/contracts";
import type { previewResync } from "@accord/contracts/sync/monitoring/explain";
import { useWords } from "../../../../app/words.ts";

type Preview = ReplyOf<typeof previewResync>;

const COUNTS = ["read", "created", "updated", "deleted", "unchanged", "filtered", "refused", "quarantined"] as const;
/** Said even when there are none. */
const ALWAYS: ReadonlySet<string> = new Set(["read", "created", "updated", "deleted"]);

export function ResyncPreview({ preview }: { preview: Preview }) {
  const { t } = useWords("sync");
  const told = Object.values(preview.told).reduce((sum, count) => sum + count, 0);
  const facts = COUNTS.filter((name) => ALWAYS.has(name) || preview[name] > 0).map((name) => ({
    key: t(`preview.${name}`),
    value: preview[name].toLocaleString("en-US"),
  }));
  return (
    <section className="ac-activity-section" aria-label={t("preview.title")} aria-live="polite">
      {preview.problem ? <ErrorBox message={preview.problem} /> : null}
      <KeyValueList facts={[...facts, { key: t("preview.told"), value: told.toLocaleString("en-US") }]} />
      {preview.complete || preview.problem ? null : <p>{t("preview.incomplete")}</p>}
    </section>
  );
}
