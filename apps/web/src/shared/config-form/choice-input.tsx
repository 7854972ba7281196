/** A choice of one: listed by the definition, the entity's fields, or loaded when the controlling input changes. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { SearchSelect } from "@accord/ui";
import { Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { explanationOf } from "../../app/api-error.ts";
import { useWords } from "../../app/words.ts";
import type { ConfigInputProps, Labelled } from "./input-props.ts";
import { isBlank, type Option } from "./config-form.model.ts";

/** Pause before dependent options are loaded, so that a burst of changes asks once. */
const FETCH_DELAY_MS = 10;

/** Choices among fields: of the pipeline's entity, or of what another input names. */
const isOfFields = ({ renderType, dependsOn }: InputDefinition): boolean =>
  renderType === "coreField" || FIELD_CHOICES.has(dependsOn?.dependantType ?? "");
const FIELD_CHOICES = new Set(["coreEntityFields", "connectorEntityFields"]);

/** What choices in forms have loaded, for those who refresh it. */
export const LOADED_OPTIONS = { name: "options" } as const;

const isLoaded = (input: InputDefinition): boolean => input.values === undefined && !isOfFields(input);

export function useOptions({ input, controllingValue, fields, loadOptions }: ConfigInputProps): {
  options: readonly Option[];
  /** False while they are still on their way. */
  known: boolean;
  note: string;
  problem: string | undefined;
} {
  const { t } = useWords("builder");
  const waits = input.dependsOn !== undefined && isBlank(controllingValue);
  const loaded = useQuery({
    queryKey: [LOADED_OPTIONS.name, input.name, input.renderType, input.dependsOn, controllingValue],
    queryFn: async () => {
      await new Promise((resolve) => setTimeout(resolve, FETCH_DELAY_MS));
      return loadOptions ? await loadOptions(input, controllingValue) : [];
    },
    enabled: isLoaded(input) && loadOptions !== undefined && !waits,
  });
  if (input.values === undefined && isOfFields(input)) {
    const options = fields.map((field) => ({ id: field.apiName, label: field.displayName }));
    const note = t(waits ? "form.chooseControlling" : "form.noOptions");
    return { options, known: options.length > 0, note, problem: undefined };
  }
  if (input.values) return { options: input.values, known: true, note: t("form.noOptions"), problem: undefined };
  return {
    options: loaded.data ?? [],
    known: loaded.isSuccess,
    note: t(waits ? "form.chooseControlling" : loaded.isFetching ? "form.loading" : "form.noOptions"),
    problem: loaded.isError ? explanationOf(loaded.error) : undefined,
  };
}

export function ChoiceInput(props: ConfigInputProps & { labelled: Labelled }) {
  const { t } = useWords("builder");
  const { input, value, onChange, labelled } = props;
  const { options, known, note, problem } = useOptions(props);
  const text = isBlank(value) ? null : String(value);

  // A choice that is no option any more stays until somebody chooses another: the options may come back.
  const absent = text !== null && !options.some((option) => option.id === text);
  if (input.displayMode === "radio")
    return (
      <Radio.Group
        {...labelled}
        error={labelled.error ?? problem ?? (absent && known ? t("form.choiceAbsent") : undefined)}
        value={text}
        onChange={onChange}
      >
        <Stack gap={6} mt={4}>
          {options.map(({ id, label }) => (
            <Radio key={id} value={id} label={label} disabled={labelled.disabled} />
          ))}
        </Stack>
      </Radio.Group>
    );
  const choices = [
    ...options.map((option) => ({ value: option.id, label: option.label })),
    ...(absent ? [{ value: text, label: text }] : []),
  ];
  return (
    <SearchSelect
      {...labelled}
      error={labelled.error ?? problem ?? (absent && known ? t("form.choiceAbsent") : undefined)}
      data={choices}
      value={text}
      searchable={options.length > 8}
      limit={300}
      clearable={input.allowClear === true}
      clearButtonProps={{
        "aria-label": t("form.clear", { label: input.label }),
        "aria-hidden": false,
        tabIndex: 0,
        style: { width: 24, height: 24, minWidth: 24, pointerEvents: "all" },
      }}
      nothingFoundMessage={note}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}
