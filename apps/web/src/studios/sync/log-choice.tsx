/** What a log is narrowed by: one value of a few, or the entity whose records it is about. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Select } from "@mantine/core";
import { useWords } from "../../app/words.ts";

interface ChoiceProps<Value extends string> {
  label: string;
  /** Shown while nothing is chosen. */
  any: string;
  data: readonly { value: Value; label: string }[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  searchable?: boolean;
  width?: number;
}

export function LogChoice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, any, data, value, onChange, width = 180, ...rest } = props;
  return (
    <Select
      {...rest}
      aria-label={label}
      placeholder={any}
      clearable
      clearButtonProps={{ "aria-label": any, "aria-hidden": false, tabIndex: 0, size: "24px" }}
      w={width}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(data.find((one) => one.value === chosen)?.value)}
    />
  );
}

/** By api name, as addresses spell it. */
export function EntityChoice(props: {
  entities: readonly CoreEntity[];
  value: string | undefined;
  onChange: (apiName: string | undefined) => void;
}) {
  const { t } = useWords("sync");
  const { entities, ...rest } = props;
  return (
    <LogChoice
      {...rest}
      searchable
      label={t("transactions.entity")}
      any={t("transactions.every")}
      data={entities.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
    />
  );
}
