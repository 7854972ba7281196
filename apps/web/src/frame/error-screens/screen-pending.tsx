/** Shown while a screen's code arrives: the outline of a page, never a spinner on an empty one. */
import { PageSkeleton } from "@accord/ui";
import { useWords } from "../../app/words.ts";

export function ScreenPending() {
  const { t } = useWords();
  return <PageSkeleton label={t("state.loading")} />;
}
