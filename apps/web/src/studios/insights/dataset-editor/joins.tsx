/** How the sources belong together; what the references between them suggest comes first. */
import {
  type DatasetConfig,
  type DatasetJoin,
  type DataSourceField,
  JOIN_TYPES,
} from "@accord/contracts/insights/dataset-config";
import { suggestJoins } from "@accord/contracts/insights/datasets";
import { Card } from "@accord/ui";
import { ActionIcon, Button, Select } from "@mantine/core";
import { IconPlus, IconSparkles, IconX } from "@tabler/icons-react";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { withJoin } from "./dataset.model.ts";

interface JoinsProps {
  config: DatasetConfig;
  fields: readonly DataSourceField[];
  onChange: (config: DatasetConfig) => void;
}

export function Joins({ config, fields, onChange }: JoinsProps) {
  const { t } = useWords("insights");
  const { data } = useEndpoint(
    suggestJoins,
    { body: { sources: config.sources } },
    { enabled: config.sources.length > 1 },
  );
  const known = new Set(config.joins.map(({ field1, field2 }) => JSON.stringify([field1, field2])));
  const open = (data?.suggestions ?? [])
    .filter(({ field1, field2 }) => !known.has(JSON.stringify([field1, field2])))
    .slice(0, 4);
  const change = (at: number, join: DatasetJoin): void =>
    onChange({ ...config, joins: config.joins.map((one, place) => (place === at ? join : one)) });
  const blank = (at: number): DatasetJoin => {
    const [first, second] = [config.sources[0]!, config.sources[at]!];
    const side = ({ datasetId, datasourceAlias }: typeof first) => ({
      datasetId,
      datasourceAlias,
      apiName: "accord_id",
    });
    return { joinId: "", joinType: "LEFT", field1: side(first), field2: side(second) };
  };
  return (
    <Card
      title={t("editor.joins")}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          onClick={() => onChange({ ...config, joins: [...config.joins, blank(config.sources.length - 1)] })}
        >
          {t("editor.addJoin")}
        </Button>
      }
    >
      {open.length > 0 ? (
        <div className="ac-joins__suggested">
          {open.map((suggestion, at) => (
            <Button
              key={at}
              size="xs"
              variant="light"
              leftSection={<IconSparkles size={14} />}
              onClick={() => onChange(withJoin(config, suggestion))}
            >
              {nameOf(suggestion.field1)} = {nameOf(suggestion.field2)}
            </Button>
          ))}
        </div>
      ) : null}
      <ul className="ac-joins">
        {config.joins.map((join, at) => (
          <li key={at}>
            <SideSelect
              label={t("editor.joins")}
              side={join.field1}
              fields={fields}
              onChange={(field1) => change(at, { ...join, field1 })}
            />
            <span>{t("editor.equals")}</span>
            <SideSelect
              label={t("editor.joins")}
              side={join.field2}
              fields={fields}
              onChange={(field2) => change(at, { ...join, field2 })}
            />
            <Select
              aria-label={t("editor.joinType")}
              allowDeselect={false}
              value={join.joinType}
              data={JOIN_TYPES.map((type) => ({ value: type, label: t(`editor.joinTypes.${type}`) }))}
              onChange={(type) => type && change(at, { ...join, joinType: type as "LEFT" })}
            />
            <ActionIcon
              variant="subtle"
              color="idle"
              aria-label={t("editor.removeJoin")}
              onClick={() => onChange({ ...config, joins: config.joins.filter((_, place) => place !== at) })}
            >
              <IconX size={15} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const nameOf = (side: DatasetJoin["field1"]): string => `${side.datasourceAlias}.${side.apiName}`;

function SideSelect({
  label,
  side,
  fields,
  onChange,
}: {
  label: string;
  side: DatasetJoin["field1"];
  fields: readonly DataSourceField[];
  onChange: (side: DatasetJoin["field1"]) => void;
}) {
  return (
    <Select
      aria-label={`${label}: ${nameOf(side)}`}
      searchable
      allowDeselect={false}
      value={nameOf(side)}
      data={fields
        .filter((field) => !field.isMultiValueField)
        .map((field) => ({ value: field.fieldAlias, label: `${field.datasourceAlias}.${field.displayName}` }))}
      onChange={(next) => {
        const field = fields.find(({ fieldAlias }) => fieldAlias === next);
        if (field)
          onChange({ datasetId: field.datasetId, datasourceAlias: field.datasourceAlias, apiName: field.apiName });
      }}
    />
  );
}
