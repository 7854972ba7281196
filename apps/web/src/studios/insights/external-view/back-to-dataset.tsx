/** From a page of one external dataset back to what it is. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";

export function BackToDataset({ pageKey }: { pageKey: string }) {
  const { t } = useWords("insights");
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link {...props} to="/insights-studio/ts/datasets/$key" params={{ key: pageKey }} />}
    >
      {t("external.back")}
    </Button>
  );
}
