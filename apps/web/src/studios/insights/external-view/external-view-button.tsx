/** Leads to the external view, where its feature is on and its product known. */
import { getInsightsProvider } from "@accord/contracts/insights/external-view";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";

export function ExternalViewButton() {
  const { t } = useWords("insights");
  const maySee = useCan("READ_DASHBOARD");
  const { data } = useEndpoint(getInsightsProvider, {}, { enabled: maySee });
  if (!data?.isConfigured) return null;
  return (
    <Button variant="default" component={Link} to="/insights-studio/ts/dashboards">
      {t("external.title")}
    </Button>
  );
}
