/** Columns worked out by a formula, written and judged by the preview as one goes. */
import type { CalculatedField, DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { listDatasetFunctions } from "@accord/contracts/insights/datasets";
import { ActionIcon, Autocomplete, Button, TextInput } from "@mantine/core";
import { IconMathFunction, IconX } from "@tabler/icons-react";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { withoutColumn } from "./dataset.model.ts";

export function Calculated({ config, onChange }: { config: DatasetConfig; onChange: (config: DatasetConfig) => void }) {
  const { t } = useWords("insights");
  const functions = useEndpoint(listDatasetFunctions).data?.functions ?? [];
  const { calculatedFields } = config;
  const change = (at: number, field: Partial<CalculatedField>): void =>
    onChange({
      ...config,
      calculatedFields: calculatedFields.map((one, place) => (place === at ? { ...one, ...field } : one)),
    });
  const add = (): void => {
    const number = calculatedFields.length + 1;
    const name = `${t("editor.calculated")} ${number}`;
    const aliasName = `calculated${number}`;
    const taken = [...config.selectedFields.map(({ alias }) => alias), ...calculatedFields.map((one) => one.aliasName)];
    const free = taken.includes(aliasName) ? `${aliasName}_${taken.length}` : aliasName;
    const field = { aliasName: free, displayName: name, dataType: "decimal" as const, formula: "" };
    onChange({ ...config, calculatedFields: [...calculatedFields, field] });
  };
  return (
    <div className="ac-form ac-calculated">
      {calculatedFields.map((field, at) => (
        <div key={field.aliasName} className="ac-row">
          <TextInput
            aria-label={t("editor.calculated")}
            value={field.displayName}
            onChange={(event) => change(at, { displayName: event.currentTarget.value || field.aliasName })}
          />
          <Autocomplete
            className="ac-calculated__formula"
            aria-label={t("editor.formula")}
            value={field.formula}
            data={field.formula === "" ? functions.map(({ signature }) => signature) : []}
            onChange={(formula) => change(at, { formula })}
          />
          <ActionIcon
            variant="subtle"
            color="idle"
            aria-label={t("wizard.removeEntry", { name: field.displayName })}
            onClick={() => onChange(withoutColumn(config, field.aliasName))}
          >
            <IconX size={15} />
          </ActionIcon>
        </div>
      ))}
      <div className="ac-row">
        <Button variant="default" size="xs" leftSection={<IconMathFunction size={15} />} onClick={add}>
          {t("editor.addCalculated")}
        </Button>
        <span className="ac-quiet">{t("editor.formulaHelp")}</span>
      </div>
    </div>
  );
}
