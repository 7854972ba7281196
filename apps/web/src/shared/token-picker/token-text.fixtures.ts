/** Tokens of a small pipeline, for tests of what offers them. */
import type { TokenGroup } from "./token-text.model.ts";

const token = (group: string, name: string, shortLabel: string, label = shortLabel, datatype = "string") => ({
  token: name,
  label,
  shortLabel,
  group,
  datatype,
  value: `{{${name}}}`,
});

export const TOKENS: readonly TokenGroup[] = [
  {
    group: "Functions",
    tokens: [token("Functions", "Value From Upper", "Upper", "Value from Upper")],
  },
  {
    group: "Core fields",
    tokens: [
      token("Core fields", "previous.values.Name", "Name"),
      token("Core fields", "previous.values.Revenue", "Revenue", "Revenue", "decimal"),
      token("Core fields", "previous.values.Address", "Address", "Address", "object"),
    ],
  },
  {
    group: "Source fields",
    tokens: [
      token("Source fields", "CRM.company.name", "Company name", "CRM › company › Company name"),
      token("Source fields", "Billing.account.name", "Account name", "Billing › account › Account name"),
    ],
  },
  { group: "Others", tokens: [token("Others", "nobody", "nobody", "nobody", "object")] },
];
