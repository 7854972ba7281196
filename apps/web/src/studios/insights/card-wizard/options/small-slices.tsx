/** Small slices of a donut, added up in one. */
import { Checkbox, NumberInput, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { OptionProps } from "./option-props.ts";

export function SmallSlices({ card, onChange }: OptionProps) {
  const { t } = useWords("insights");
  const least = card.minimumValue ?? { value: 0, label: "", applyToSubCategories: false };
  return (
    <>
      <div className="ac-form__pair">
        <NumberInput
          label={t("wizard.minimumSlice")}
          value={least.value}
          onChange={(value) => onChange({ ...card, minimumValue: { ...least, value: Number(value) } })}
        />
        <TextInput
          label={t("wizard.minimumLabel")}
          value={least.label}
          onChange={(event) => onChange({ ...card, minimumValue: { ...least, label: event.currentTarget.value } })}
        />
      </div>
      <Checkbox
        label={t("wizard.applySub")}
        checked={least.applyToSubCategories}
        onChange={(event) =>
          onChange({ ...card, minimumValue: { ...least, applyToSubCategories: event.currentTarget.checked } })
        }
      />
    </>
  );
}
