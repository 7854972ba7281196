/** Builds a dataset: data and joins, columns, filter, grouping, sorting, variables, and its rows beside it as one goes. */
import type { DatasetConfig, DataSourceField } from "@accord/contracts/insights/dataset-config";
import { listDatasets, lookupDatasetFields, previewDataset } from "@accord/contracts/insights/datasets";
import type { Id } from "@accord/contracts";
import { Card, EmptyState } from "@accord/ui";
import { Button, Checkbox, Menu, Switch } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDatabase, IconPlus, IconTable } from "@tabler/icons-react";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { endpointQuery, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { PredicateBuilder } from "../../../shared/predicate-builder/predicate-builder.tsx";
import { asGroup, completeOnly } from "../../../shared/predicate-builder/predicate.model.ts";
import { Calculated } from "./calculated.tsx";
import { Columns } from "./columns.tsx";
import { grouped, isSelected, toggled, withoutSource, withSource } from "./dataset.model.ts";
import { Joins } from "./joins.tsx";
import { PreviewTable } from "./preview-table.tsx";
import { SortAndLimit } from "./sort-and-limit.tsx";
import { Variables } from "./variables.tsx";
import "./dataset-editor.css";

export interface DatasetEditorProps {
  config: DatasetConfig;
  onChange: (config: DatasetConfig) => void;
  datasetId?: Id<"dataset"> | undefined;
}

export function DatasetEditor({ config, onChange, datasetId }: DatasetEditorProps) {
  const { t } = useWords("insights");
  const fields = useSourceFields(config);
  const scope = useMemo(
    () => ({
      fields: fields.map((field) => ({
        apiName: field.fieldAlias,
        displayName: field.displayName,
        dataType: field.dataType,
        isMultiValueField: field.isMultiValueField ?? false,
        group: field.datasourceAlias,
      })),
      variables: config.variables.map(({ apiName, displayName, datatype }) => ({
        apiName,
        displayName,
        dataType: datatype,
      })),
    }),
    [fields, config.variables],
  );
  const outputs = useMemo(
    () => ({
      fields: config.selectedFields.map(({ alias, displayName, dataType, aggregate }) => ({
        apiName: alias,
        displayName,
        dataType: aggregate === "count" || aggregate === "countDistinct" ? ("integer" as const) : dataType,
      })),
    }),
    [config.selectedFields],
  );
  return (
    <div className="ac-dataset">
      <div className="ac-dataset__parts">
        <Sources config={config} fields={fields} onChange={onChange} datasetId={datasetId} />
        {config.sources.length > 1 ? <Joins config={config} fields={fields} onChange={onChange} /> : null}
        {config.sources.length > 0 ? (
          <>
            <Card
              title={t("editor.chosen")}
              actions={
                <Switch
                  label={t("editor.groupRows")}
                  checked={config.group}
                  onChange={(event) => onChange(grouped(config, event.currentTarget.checked))}
                />
              }
            >
              <Columns config={config} onChange={onChange} />
              <Calculated config={config} onChange={onChange} />
            </Card>
            <Card title={t("editor.filter")}>
              <PredicateBuilder
                value={config.filter}
                scope={scope}
                label={t("editor.filter")}
                onChange={(filter) => onChange({ ...config, filter })}
              />
            </Card>
            {config.group ? (
              <Card title={t("editor.having")}>
                <PredicateBuilder
                  value={config.having}
                  scope={outputs}
                  label={t("editor.having")}
                  onChange={(having) => onChange({ ...config, having })}
                />
              </Card>
            ) : null}
            <Card title={t("editor.sort")}>
              <SortAndLimit config={config} onChange={onChange} />
            </Card>
            <Variables config={config} onChange={onChange} />
          </>
        ) : null}
      </div>
      <div className="ac-dataset__preview">
        <Preview config={config} datasetId={datasetId} />
      </div>
    </div>
  );
}

function useSourceFields(config: DatasetConfig): DataSourceField[] {
  const results = useQueries({
    queries: config.sources.map(({ datasetId, datasetType, datasourceAlias }) =>
      endpointQuery(lookupDatasetFields, {
        query: { dataSourceId: datasetId, dataSourceType: datasetType, alias: datasourceAlias },
      }),
    ),
  });
  return results.flatMap((result) => result.data?.dataSourceFields ?? []);
}

function Sources({ config, fields, onChange, datasetId }: DatasetEditorProps & { fields: readonly DataSourceField[] }) {
  const { t } = useWords("insights");
  const { data } = useEndpoint(listDatasets);
  const add = (id: string, datasetType: "ENTITY" | "DATASET", name: string): void =>
    onChange(withSource(config, { datasetId: id, datasetType }, name));
  const menu = (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus size={16} />}>
          {t("editor.addSource")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="ac-dataset__menu">
        <Menu.Label>{t("editor.entities")}</Menu.Label>
        {data?.entities.map((entity) => (
          <Menu.Item
            key={entity.id}
            leftSection={<IconTable size={15} />}
            onClick={() => add(entity.id, "ENTITY", entity.apiName)}
          >
            {entity.displayName}
          </Menu.Item>
        ))}
        {data && data.datasets.length > 0 ? <Menu.Label>{t("editor.datasets")}</Menu.Label> : null}
        {data?.datasets
          .filter(({ id }) => id !== datasetId)
          .map((dataset) => (
            <Menu.Item
              key={dataset.id}
              leftSection={<IconDatabase size={15} />}
              onClick={() => add(dataset.id, "DATASET", dataset.name)}
            >
              {dataset.displayName}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
  if (config.sources.length === 0)
    return (
      <EmptyState
        icon={<IconDatabase size={22} />}
        title={t("editor.pickSource")}
        body={t("editor.sourcesHelp")}
        action={menu}
      />
    );
  return (
    <Card title={t("editor.sources")} actions={menu}>
      <div className="ac-sources">
        {config.sources.map((source) => {
          const own = fields.filter((field) => field.datasourceAlias === source.datasourceAlias);
          const chosen = own.filter((field) => isSelected(config, field)).length;
          return (
            <fieldset key={source.datasourceAlias} className="ac-sources__one">
              <legend>
                {source.datasourceAlias}
                <span className="ac-quiet">
                  {chosen} / {own.length}
                </span>
                <Button
                  size="xs"
                  variant="subtle"
                  color="idle"
                  onClick={() => onChange(withoutSource(config, source.datasourceAlias))}
                >
                  {t("editor.removeSource", { name: "" })}
                </Button>
              </legend>
              <div className="ac-sources__fields">
                {own.map((field) => (
                  <Checkbox
                    key={field.fieldId}
                    label={field.displayName}
                    title={field.apiName}
                    checked={isSelected(config, field)}
                    onChange={() => onChange(toggled(config, field))}
                  />
                ))}
              </div>
            </fieldset>
          );
        })}
      </div>
    </Card>
  );
}

/** The configuration without half-written conditions, so that typing does not fail the preview. */
export const runnable = (config: DatasetConfig): DatasetConfig => ({
  ...config,
  filter: config.filter ? completeOnly(asGroup(config.filter)) : undefined,
  having: config.having ? completeOnly(asGroup(config.having)) : undefined,
});

function Preview({ config, datasetId }: { config: DatasetConfig; datasetId: Id<"dataset"> | undefined }) {
  const { t } = useWords("insights");
  const [settled] = useDebouncedValue(config, 400);
  const ready = settled.sources.length > 0 && settled.selectedFields.length + settled.calculatedFields.length > 0;
  const body = { datasetConfig: runnable(settled), rows: 100, ...(datasetId ? { datasetId } : {}) };
  const query = useEndpoint(
    previewDataset,
    { body },
    { enabled: ready, placeholderData: keepPreviousData, retry: false },
  );
  if (!ready)
    return (
      <EmptyState compact icon={<IconTable size={22} />} title={t("editor.preview")} body={t("editor.noneChosen")} />
    );
  return <PreviewTable query={query} />;
}
