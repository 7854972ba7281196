/** Generated forms: one input of each kind, and a connection with a saved secret. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { useState } from "react";
import { ConfigForm } from "./config-form.tsx";
import { initialValues } from "./config-form.model.ts";

const FIELDS = [
  { apiName: "Name", displayName: "Name", dataType: "string" as const },
  { apiName: "Revenue", displayName: "Revenue", dataType: "decimal" as const },
];
const TOKENS = [
  {
    group: "Source fields",
    tokens: [
      {
        token: "CRM.company.name",
        label: "CRM › company › name",
        shortLabel: "name",
        group: "Source fields",
        datatype: "string",
        value: "{{CRM.company.name}}",
      },
    ],
  },
];

const EACH: InputDefinition[] = [
  { name: "text", label: "Text with tokens", datatype: "string", helpText: "Text and tokens." },
  { name: "count", label: "Whole number", datatype: "integer" },
  { name: "on", label: "Match case", datatype: "boolean" },
  {
    name: "mode",
    label: "Mode",
    datatype: "picklist",
    values: [
      { id: "a", label: "Keep" },
      { id: "b", label: "Replace" },
    ],
  },
  {
    name: "several",
    label: "Several",
    datatype: "multiselect",
    values: [
      { id: "a", label: "First" },
      { id: "b", label: "Second" },
    ],
  },
  { name: "parts", label: "Parts", datatype: "text", repeatable: true },
  { name: "pairs", label: "Table", datatype: "composite", renderType: "pairs", repeatable: true },
  { name: "when", label: "Condition", datatype: "predicate" },
  { name: "day", label: "Only changed after", datatype: "date" },
];

const CONNECTION: InputDefinition[] = [
  { name: "host", label: "Host", datatype: "string", required: true, hideTokenPicker: true },
  { name: "password", label: "Password", datatype: "password", secret: true, required: true },
  { name: "timeout", label: "Timeout (seconds)", datatype: "integer", fieldSet: "Advanced", defaultValue: 30 },
];

export function EachKind() {
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    initialValues(EACH, { count: "x", parts: ["{{CRM.company.name}}", "Ltd"], pairs: [{ from: "A", to: "Active" }] }),
  );
  return <ConfigForm inputs={EACH} values={values} onChange={setValues} fields={FIELDS} tokens={TOKENS} />;
}

export function WithSavedSecret() {
  const [values, setValues] = useState<Record<string, unknown>>(() => initialValues(CONNECTION, {}));
  return (
    <ConfigForm
      inputs={CONNECTION}
      values={values}
      onChange={setValues}
      configuredSecrets={["password"]}
      showAll
      folded={["Advanced"]}
    />
  );
}
