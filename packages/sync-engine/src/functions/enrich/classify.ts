/** Classify. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import { defineServiceFunction } from "../kinds/provider.ts";

const Config = z.looseObject({
  classes: z
    .array(z.string())
    .min(2, nodeSettings.atLeastTwoClasses)
    .max(50, fill(nodeSettings.classesAtMost, { limit: 50 })),
  instructions: z
    .string()
    .max(2000, fill(nodeSettings.charactersAtMost, { limit: "2,000" }))
    .default(""),
});
const config = { classes: ["lead", "support"] };

export const classify = defineServiceFunction({
  name: "classify",
  label: "Classify",
  summary: "Lets a language model choose one of several classes for a text; off until a model is configured.",
  valueLabel: "Text",
  inputs: [
    { name: "classes", label: "Classes", datatype: "text", repeatable: true, required: true, hideTokenPicker: true },
    { name: "instructions", label: "Instructions", datatype: "textarea", hideTokenPicker: true },
  ],
  config: Config,
  output: "string",
  settings: ({ classes, instructions }) => ({ classes, instructions }),
  result: (found) => found["class"] ?? null,
  examples: [
    {
      says: "the class the model chose",
      config,
      in: "My printer is on fire",
      requests: [
        {
          kind: "provider",
          service: "classify",
          input: { classes: ["lead", "support"], instructions: "", value: "My printer is on fire" },
        },
      ],
      answers: [{ ok: true, found: [{ class: "support" }] }],
      out: "support",
    },
    { says: "blank where it chose none", config, in: "?", answers: [{ ok: true, found: [] }], out: null },
  ],
});
