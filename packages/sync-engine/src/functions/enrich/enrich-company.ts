/** Enrich company. */
import { z } from "zod";
import { defineServiceFunction } from "../kinds/provider.ts";

export const enrichCompany = defineServiceFunction({
  name: "enrichCompany",
  label: "Enrich company",
  summary:
    "Asks a provider about a company by its domain or name; off until one is configured, skipped in simulated tests.",
  valueLabel: "Domain or name",
  config: z.looseObject({}),
  output: "object",
  settings: () => ({}),
  result: (found) => ({ ...found }),
  examples: [
    {
      says: "what the provider knows, as an object",
      config: {},
      in: "example.org",
      requests: [{ kind: "provider", service: "enrichCompany", input: { value: "example.org" } }],
      answers: [{ ok: true, found: [{ name: "Example", employees: 12 }] }],
      out: { name: "Example", employees: 12 },
    },
    {
      says: "blank where it knows nothing",
      config: {},
      in: "nowhere.example",
      answers: [{ ok: true, found: [] }],
      out: null,
    },
  ],
});
