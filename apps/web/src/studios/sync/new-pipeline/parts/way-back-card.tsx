/** Whether changes made elsewhere are written to the source as well, and what is written. */
import type { Connector, ConnectorEntity } from "@accord/contracts/connections/connectors";
import { Card } from "@accord/ui";
import { Switch } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { Choices, Proposal } from "../proposal.model.ts";

interface Props {
  connector: Connector;
  entity: ConnectorEntity;
  proposal: Proposal;
  choices: Choices;
  onChange: (part: Partial<Choices>) => void;
}

export function WayBackCard({ connector, entity, proposal: { back, noWayBack }, choices, onChange }: Props) {
  const { t } = useWords("sync");
  const names = { system: connector.name, entity: entity.displayName };
  const fieldNames = new Map(entity.schema.fields.map(({ apiName, displayName }) => [apiName, displayName || apiName]));
  return (
    <Card title={t("newPipeline.back")}>
      <p className="ac-new-pipeline__hint">{t("newPipeline.backHint")}</p>
      {noWayBack ? (
        <p className="ac-new-pipeline__text">{t(`newPipeline.noWayBack.${noWayBack}`, names)}</p>
      ) : (
        <Switch
          label={t("newPipeline.backSwitch", names)}
          description={t("newPipeline.backFields", {
            count: back.length,
            fields: back.map(({ connectorField }) => fieldNames.get(connectorField) ?? connectorField).join(", "),
          })}
          checked={choices.writesBack}
          onChange={(event) => onChange({ writesBack: event.currentTarget.checked })}
        />
      )}
    </Card>
  );
}
