/** Enrich person. */
import { z } from "zod";
import { defineServiceFunction } from "../kinds/provider.ts";

export const enrichPerson = defineServiceFunction({
  name: "enrichPerson",
  label: "Enrich person",
  summary: "Asks a provider about a person by e-mail address; off until one is configured, skipped in simulated tests.",
  valueLabel: "E-mail address",
  config: z.looseObject({}),
  output: "object",
  settings: () => ({}),
  result: (found) => ({ ...found }),
  examples: [
    {
      says: "what the provider knows, as an object",
      config: {},
      in: "ann@example.org",
      requests: [{ kind: "provider", service: "enrichPerson", input: { value: "ann@example.org" } }],
      answers: [{ ok: true, found: [{ title: "Engineer" }] }],
      out: { title: "Engineer" },
    },
    {
      says: "blank where it knows nothing",
      config: {},
      in: "x@example.org",
      answers: [{ ok: true, found: [] }],
      out: null,
    },
  ],
});
