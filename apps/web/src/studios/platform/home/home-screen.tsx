/** Home: how the instance is doing, and where to go on. */
import { PageHeader } from "@accord/ui";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";

export function HomeScreen() {
  const { t } = useWords();
  usePage({ title: t("nav.home") });
  return <PageHeader title={t("nav.home")} />;
}
