/** The last step: which chart, from which columns, in which style; drawn as one goes. */
import {
  CARD_DEFINITIONS,
  changeType,
  unplacedFields,
  keepSetup,
  type KeptSetup,
  newCard,
  problemsOfCard,
} from "@accord/cards/definitions";
import { type CardConfiguration, previewDataCard, VIZ_TYPES, type VizType } from "@accord/contracts/insights/cards";
import type { DatasetColumn, DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { getDataset, previewDataset } from "@accord/contracts/insights/datasets";
import { previewMarkRecords } from "@accord/contracts/insights/mark-records";
import type { Variable } from "@accord/contracts/insights/variables";
import { ErrorBox } from "@accord/ui";
import { Tabs } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { endpointQuery, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { CardFace } from "../cards/card-face.tsx";
import { CardIcon } from "../cards/card-icon.tsx";
import type { RecordsOf } from "../cards/mark-records.tsx";
import { VariableInput } from "../cards/variable-input.tsx";
import { asDatasetId } from "../queries.ts";
import { AppearanceForm, StyleForm } from "./look-forms.tsx";
import { SetupForm } from "./setup-form.tsx";

export interface CardStepProps {
  card: CardConfiguration;
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
  const definition = CARD_DEFINITIONS[card.vizType];
  const [tab, setTab] = useState<string>("setup");
  const choose = (type: VizType): void => {
    if (type === card.vizType) return;
    const now = keepSetup(card, columns, kept);
    onChange(changeType(card, CARD_DEFINITIONS[type], columns, now), now);
  };
  return (
    <div className="ac-card-step">
      <div className="ac-card-step__form">
        <TypeChoice chosen={card.vizType} onChoose={choose} />
        <Tabs
          value={definition.tabs.includes(tab as "setup") ? tab : "setup"}
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
            <Unplaced kept={kept} type={card.vizType} columns={columns} />
          </Tabs.Panel>
          <Tabs.Panel value="style" pt="md">
            <StyleForm card={card} definition={definition} onChange={onChange} />
          </Tabs.Panel>
          <Tabs.Panel value="appearance" pt="md">
            <AppearanceForm card={card} definition={definition} onChange={onChange} />
          </Tabs.Panel>
          <Tabs.Panel value="variables" pt="md">
            <CardVariables card={card} variables={variables} onChange={onChange} />
          </Tabs.Panel>
        </Tabs>
      </div>
      <Preview card={card} dataset={dataset} />
    </div>
  );
}

/** The arrow keys move through the types and choose, as in any group of radios. */
function TypeChoice({ chosen, onChoose }: { chosen: VizType; onChoose: (type: VizType) => void }) {
  const { t } = useWords("insights");
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, at: number): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (at + step + VIZ_TYPES.length) % VIZ_TYPES.length;
    const type = VIZ_TYPES[next];
    if (type) onChoose(type);
    group.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div ref={group} className="ac-card-types" role="radiogroup" aria-label={t("wizard.vizType")}>
      {VIZ_TYPES.map((type, at) => (
        <button
          key={type}
          type="button"
          role="radio"
          aria-checked={chosen === type}
          tabIndex={chosen === type ? 0 : -1}
          title={t(`typeHelp.${type}`)}
          onClick={() => onChoose(type)}
          onKeyDown={(event) => move(event, at)}
        >
          <CardIcon type={type} size={20} />
          {t(`type.${type}`)}
        </button>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

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

function Preview({ card, dataset }: { card: CardConfiguration; dataset: DatasetConfig | null }) {
  const { t } = useWords("insights");
  const [settled] = useDebouncedValue(card, 250);
  const complete = problemsOfCard(settled).length === 0;
  const question = {
    datacard: { contents: { configuration: asked(settled) } },
    dataset: dataset ? { datasetConfig: dataset } : {},
  };
  const query = useEndpoint(
    previewDataCard,
    { body: question },
    { enabled: complete, placeholderData: keepPreviousData, retry: false },
  );
  const mayRead = useCan("READ_DATA_STUDIO");
  const recordsOf: RecordsOf | undefined = mayRead
    ? (mark) => endpointQuery(previewMarkRecords, { body: { ...question, mark } })
    : undefined;
  // An answer to another question draws nothing sensible: the type may have changed meanwhile.
  const fits = complete && settled.vizType === card.vizType && !query.isPlaceholderData;
  const shown = { ...query, data: fits || query.isPlaceholderData ? query.data?.contents : undefined };
  return (
    <section className="ac-card-preview" aria-label={t("wizard.preview")}>
      <h2>{t("wizard.preview")}</h2>
      <div className="ac-card-preview__box">
        <CardFace
          configuration={settled.vizType === card.vizType ? settled : card}
          query={query.isPlaceholderData && !complete ? { ...shown, data: undefined } : shown}
          recordsOf={recordsOf}
        />
      </div>
    </section>
  );
}

/** Looks do not change what is asked, so that restyling keeps the answer. */
function asked(card: CardConfiguration): CardConfiguration {
  const plain = newCard(CARD_DEFINITIONS[card.vizType], card.datasetId);
  const { xaxis, yaxis, series, category, subCategory, value, columns, measure, dataField, variablesMap, vizLabel } =
    card;
  return {
    ...plain,
    xaxis,
    yaxis,
    series,
    category,
    subCategory,
    value,
    columns,
    measure,
    dataField,
    variablesMap,
    vizLabel,
    ranges: [],
  };
}
