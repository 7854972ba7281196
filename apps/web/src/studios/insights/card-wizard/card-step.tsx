/** The last step: which chart, from which columns, in which style; drawn as one goes. */
import {
  CARD_DEFINITIONS,
  changeType,
  unplacedFields,
  keepSetup,
  type KeptSetup,
  newCard,
} from "@accord/cards/definitions";
import type { CardConfiguration, CardData, VizType } from "@accord/contracts/insights/cards";
import type { DatasetColumn, DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { getDataset, previewDataset } from "@accord/contracts/insights/datasets";
import type { Variable } from "@accord/contracts/insights/variables";
import { ErrorBox } from "@accord/ui";
import { Tabs } from "@mantine/core";
import { useState } from "react";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { VariableInput } from "../cards/variable-input.tsx";
import { asDatasetId } from "../parts/queries.ts";
import { AppearanceForm } from "./appearance-form.tsx";
import { CardPreview, useCardPreview } from "./card-preview.tsx";
import { LabelForm } from "./label-form.tsx";
import { OptionControls } from "./options/option-controls.tsx";
import { RowsForm } from "./rows-form.tsx";
import { SetupForm } from "./setup-form.tsx";
import { TypeChoice } from "./type-choice.tsx";

export interface CardStepProps {
  /** Null until a type is chosen. */
  card: CardConfiguration | null;
  /** A dataset being made in the wizard; null when a saved one is used. */
  dataset: DatasetConfig | null;
  datasetId: string;
  /** What was set up before the last change of type. */
  kept: KeptSetup | undefined;
  onChange: (card: CardConfiguration, kept?: KeptSetup) => void;
}

export function CardStep({ card, dataset, datasetId, kept, onChange }: CardStepProps) {
  const { t } = useWords("insights");
  const { columns, variables } = useDataset(dataset, datasetId);
  const preview = useCardPreview(card, dataset);
  const choose = (type: VizType): void => {
    if (!card) return onChange(newCard(CARD_DEFINITIONS[type], dataset ? "" : datasetId));
    if (type === card.vizType) return;
    const now = keepSetup(card, columns, kept);
    onChange(changeType(card, CARD_DEFINITIONS[type], columns, now), now);
  };
  return (
    <div className="ac-card-step">
      <div className="ac-card-step__form">
        <TypeChoice chosen={card?.vizType} onChoose={choose} />
        {card ? (
          <>
            <LabelForm card={card} onChange={onChange} />
            <CardTabs {...{ card, columns, variables, kept, onChange }} data={preview.query.data?.data} />
          </>
        ) : (
          <p className="ac-quiet">{t("wizard.chooseType")}</p>
        )}
      </div>
      <CardPreview preview={preview} />
    </div>
  );
}

interface CardTabsProps extends Pick<CardStepProps, "kept" | "onChange"> {
  card: CardConfiguration;
  columns: readonly DatasetColumn[];
  variables: readonly Variable[];
  /** What the preview draws; undefined while it draws nothing. */
  data: CardData | undefined;
}

function CardTabs({ card, columns, variables, kept, data, onChange }: CardTabsProps) {
  const { t } = useWords("insights");
  const definition = CARD_DEFINITIONS[card.vizType];
  const [tab, setTab] = useState<string>("setup");
  return (
    <Tabs
      value={definition.tabs.some((name) => name === tab) ? tab : "setup"}
      onChange={(next) => setTab(next ?? "setup")}
      keepMounted={false}
    >
      <Tabs.List>
        {definition.tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`wizard.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="setup" pt="md">
        <SetupForm card={card} definition={definition} columns={columns} onChange={onChange} />
        <RowsForm card={card} columns={columns} onChange={onChange} />
        <Unplaced kept={kept} type={card.vizType} columns={columns} />
      </Tabs.Panel>
      <Tabs.Panel value="style" pt="md">
        <div className="ac-form">
          <OptionControls tab="style" card={card} definition={definition} onChange={onChange} />
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="variables" pt="md">
        <CardVariables card={card} variables={variables} onChange={onChange} />
      </Tabs.Panel>
      <Tabs.Panel value="appearance" pt="md">
        <AppearanceForm card={card} definition={definition} data={data} onChange={onChange} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Fields that this type has no slot for are not lost: the reader is to know where they are. */
function Unplaced({
  kept,
  type,
  columns,
}: {
  kept: KeptSetup | undefined;
  type: VizType;
  columns: readonly DatasetColumn[];
}) {
  const { t } = useWords("insights");
  const unplaced = kept ? unplacedFields(kept, type, columns) : [];
  if (unplaced.length === 0) return null;
  const names = unplaced.map(({ entry }) => entry.displayName || entry.column).join(", ");
  return <p className="ac-quiet ac-card-step__unplaced">{t("wizard.unplaced", { names })}</p>;
}

function useDataset(
  dataset: DatasetConfig | null,
  datasetId: string,
): { columns: DatasetColumn[]; variables: Variable[] } {
  const saved = useEndpoint(
    getDataset,
    { params: { id: asDatasetId(datasetId) } },
    { enabled: dataset === null && datasetId !== "" },
  );
  const made = useEndpoint(
    previewDataset,
    { body: { datasetConfig: dataset ?? {}, rows: 1 } },
    { enabled: dataset !== null, retry: false },
  );
  if (dataset) return { columns: made.data?.columns ?? [], variables: dataset.variables };
  return { columns: saved.data?.columns ?? [], variables: saved.data?.dataset.datasetConfig.variables ?? [] };
}

function CardVariables({
  card,
  variables,
  onChange,
}: {
  card: CardConfiguration;
  variables: readonly Variable[];
  onChange: CardStepProps["onChange"];
}) {
  const { t } = useWords("insights");
  if (variables.length === 0) return <ErrorBox tone="info" message={t("wizard.noVariables")} />;
  return (
    <div className="ac-form">
      {variables.map((variable) => (
        <VariableInput
          key={variable.apiName}
          variable={variable}
          value={card.variablesMap[variable.apiName] ?? variable.variableDefaultValue?.defaultValue}
          onChange={(value) => onChange({ ...card, variablesMap: { ...card.variablesMap, [variable.apiName]: value } })}
        />
      ))}
    </div>
  );
}
