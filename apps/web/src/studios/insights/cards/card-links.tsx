/** Where the cause of a card's error can be removed, for those who may: the card itself and its dataset. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";

export interface CardLinksProps {
  dashboardId: string;
  version: "draft" | "published";
  dataCardId: string;
  datasetId: string;
}

export function CardLinks({ dashboardId, version, dataCardId, datasetId }: CardLinksProps) {
  const { t } = useWords("insights");
  const mayEdit = useCan("UPDATE_DATACARD");
  const mayEditDataset = useCan("UPDATE_DATASET");
  return (
    <>
      {mayEdit ? (
        <Button
          size="xs"
          variant="subtle"
          component={Link}
          to={`/insights-studio/${dashboardId}/${version}/datacard/${dataCardId}`}
        >
          {t("card.edit")}
        </Button>
      ) : null}
      {mayEditDataset && datasetId ? (
        <Button
          size="xs"
          variant="subtle"
          component={Link}
          to={`/insights-studio/${dashboardId}/${version}/dataset/${datasetId}`}
        >
          {t("card.editDataset")}
        </Button>
      ) : null}
    </>
  );
}
