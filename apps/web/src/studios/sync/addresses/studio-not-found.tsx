/** No such page of the studio, or no such pipeline: leads to those that exist. */
import { EmptyState } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconMoodPuzzled } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";

export function StudioNotFound() {
  const { t } = useWords("sync");
  usePage({
    title: t("shell:error.notFoundTitle"),
    crumbs: [{ label: t("title"), to: "/sync-studio" }, { label: t("shell:error.notFoundTitle") }],
  });
  return (
    <EmptyState
      isPage
      icon={<IconMoodPuzzled size={22} />}
      title={t("shell:error.notFoundTitle")}
      body={t("addresses.notFound")}
      action={
        <Button component={Link} to="/sync-studio/details">
          {t("addresses.all")}
        </Button>
      }
    />
  );
}
