/**
 * Values of a form that stands for part of a node's configuration. What fits is applied to the graph at once; what does
 * not fit yet stays as typed, with its message, until it does.
 */
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { changedField, type FormValues } from "../inputs/invalid-inputs.ts";

interface FormOf {
  key: string;
  /** The form as the graph has it. */
  stored: FormValues;
  /** What can't be stored, by input. */
  problemsOf: (values: FormValues) => Record<string, string>;
  store: (values: Record<string, unknown>, field: string) => void;
  /** Whether storing would drop part of what was entered: rows that are not finished yet. */
  isLossy?: (values: Record<string, unknown>) => boolean;
}

export function useFormValues({ key, stored, problemsOf, store, isLossy }: FormOf) {
  const editor = useEditorStore();
  const invalid = useEditor((state) => state.invalidInputs[key]);
  const values = { ...(invalid ?? stored) };
  const change = (next: Record<string, unknown>): void => {
    const problems = problemsOf(next);
    const fits = { ...next };
    for (const name of Object.keys(problems)) fits[name] = stored[name];
    const mustKeep = Object.keys(problems).length > 0 || isLossy?.(next) === true;
    editor.getState().keepInvalid(key, mustKeep ? next : null);
    store(fits, `${key} ${changedField(values, next)}`);
  };
  return { values, problems: problemsOf(values), change };
}
