/** What people call the types of fields and values: Text, Number. */
import type { DataType } from "@accord/contracts/data/values";
import { useWords } from "../../app/words.ts";

export function useTypeWords(): (type: DataType) => string {
  const { t } = useWords("schema");
  return (type) => t(`type.${type}`);
}

/** For a select of types. */
export function useTypeChoices(): (types: readonly DataType[]) => { value: DataType; label: string }[] {
  const wordOf = useTypeWords();
  return (types) => types.map((value) => ({ value, label: wordOf(value) }));
}
