/** A connector's status in one word, with what it means as its title; since when pipelines can't use it, where they can't. */
import type { Connector } from "@accord/contracts/connections/connectors";
import { StatusTag } from "@accord/ui";
import { useWords } from "../../../app/words.ts";
import { FailingSince, useFailingSystems } from "../../../shared/failing-systems.tsx";
import { STATUS_TONE } from "../connections.model.ts";

export function ConnectorStatusTag({
  connector,
}: {
  connector: Pick<Connector, "id" | "status" | "schemaRefreshStatus">;
}) {
  const { t } = useWords("connections");
  const isBusy = connector.status === "ACTIVATING" || connector.schemaRefreshStatus === "PROCESSING";
  const failure = useFailingSystems().get(connector.id);
  if (failure && connector.status === "ACTIVE" && !isBusy) return <FailingSince reason={failure} />;
  return (
    <StatusTag tone={STATUS_TONE[connector.status]} busy={isBusy} title={t(`statusHint.${connector.status}`)}>
      {t(`status.${connector.status}`)}
    </StatusTag>
  );
}
