/** Columns of rows that no field set defines, by what the rows are for. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { BuilderField } from "../predicate-builder/predicate.model.ts";

interface Words {
  from: string;
  to: string;
  name: string;
  value: string;
  field: string;
}

/** `fields`: those that values can be written into, where they are known. */
export function rowColumns(
  { renderType }: Pick<InputDefinition, "renderType">,
  words: Words,
  fields: readonly BuilderField[],
): InputDefinition[] {
  const value = { label: words.value, datatype: "string" };
  switch (renderType) {
    case "headers":
      return [
        { name: "name", label: words.name, datatype: "string", hideTokenPicker: true },
        { ...value, name: "value" },
      ];
    case "fieldValues": {
      const values = fields.map(({ apiName, displayName }) => ({ id: apiName, label: displayName }));
      return [
        { ...value, name: "from" },
        { name: "to", label: words.field, datatype: "picklistCombo", hideTokenPicker: true, values },
      ];
    }
    case "placeValues":
      return [
        { ...value, name: "from" },
        { name: "to", label: words.field, datatype: "string", hideTokenPicker: true },
      ];
    default:
      return [
        { name: "from", label: words.from, datatype: "string", hideTokenPicker: true },
        { name: "to", label: words.to, datatype: "string", hideTokenPicker: true },
      ];
  }
}
