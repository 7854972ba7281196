/** What the inputs of a generated form are given. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { BuilderField } from "../predicate-builder/predicate.model.ts";
import type { TokenGroup } from "../token-picker/token-text.model.ts";
import type { FormValues, Option } from "./config-form.model.ts";

/** What was entered in an input and can't be stored, kept by the form's owner while the form is closed. */
export interface KeptInvalid {
  values: FormValues | undefined;
  keep: (values: FormValues | null) => void;
}

export interface ConfigInputProps {
  input: InputDefinition;
  inputs: readonly InputDefinition[];
  value: unknown;
  controllingValue: unknown;
  problem: string | undefined;
  readOnly: boolean;
  /** A secret the server holds already. */
  isConfigured: boolean;
  fields: readonly BuilderField[];
  tokens: readonly TokenGroup[] | undefined;
  pipeline: boolean;
  loadOptions: ((input: InputDefinition, controllingValue: unknown) => Promise<readonly Option[]>) | undefined;
  /** Undefined: it goes with the form. */
  invalid: KeptInvalid | undefined;
  onChange: (value: unknown) => void;
  onTouched: () => void;
}

export interface Labelled {
  label: string;
  description: string | undefined;
  error: string | undefined;
  required: boolean;
  disabled: boolean;
  onBlur: () => void;
}
