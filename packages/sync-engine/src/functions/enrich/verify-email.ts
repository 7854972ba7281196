/** Verify e-mail. */
import { z } from "zod";
import { defineServiceFunction } from "../kinds/provider.ts";

export const verifyEmail = defineServiceFunction({
  name: "verifyEmail",
  label: "Verify e-mail",
  summary:
    "Asks a provider whether mail to an address arrives; off until one is configured, skipped in simulated tests.",
  valueLabel: "E-mail address",
  config: z.looseObject({}),
  output: "string",
  settings: () => ({}),
  result: (found) => found["status"] ?? null,
  examples: [
    {
      says: "the provider's verdict",
      config: {},
      in: "ann@example.org",
      requests: [{ kind: "provider", service: "verifyEmail", input: { value: "ann@example.org" } }],
      answers: [{ ok: true, found: [{ status: "deliverable" }] }],
      out: "deliverable",
    },
    { says: "blank where it has none", config: {}, in: "x@example.org", answers: [{ ok: true, found: [] }], out: null },
  ],
});
