/** The way to what is set aside of a pipeline. */
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";

export function SetAsideLink({ entityId }: { entityId: string }) {
  const { t } = useWords("data");
  return (
    <Link
      className="ac-link"
      to="/sync-studio/details"
      search={{ panel: "activity", activity: entityId, tab: "quarantine" }}
    >
      {t("explain.toSetAside")}
    </Link>
  );
}
