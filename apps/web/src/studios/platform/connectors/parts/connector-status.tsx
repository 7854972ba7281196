/** A connector's status in one word, with what it means as its title. */
import type { Connector } from "@accord/contracts/connections/connectors";
import { StatusTag } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";
import { STATUS_TONE } from "../connections.model.ts";

export function ConnectorStatusTag({ connector }: { connector: Pick<Connector, "status" | "schemaRefreshStatus"> }) {
  const { t } = useWords("connections");
  const isBusy = connector.status === "ACTIVATING" || connector.schemaRefreshStatus === "PROCESSING";
  return (
    <StatusTag tone={STATUS_TONE[connector.status]} busy={isBusy} title={t(`statusHint.${connector.status}`)}>
      {t(`status.${connector.status}`)}
    </StatusTag>
  );
}
