/** Summarise. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import { defineServiceFunction } from "../kinds/provider.ts";
import { wholeSetting } from "../kinds/settings.ts";

const Config = z.looseObject({
  words: wholeSetting(5, 1000).default(50),
  instructions: z
    .string()
    .max(2000, fill(nodeSettings.charactersAtMost, { limit: "2,000" }))
    .default(""),
});

export const summarise = defineServiceFunction({
  name: "summarise",
  label: "Summarise",
  summary: "Lets a language model shorten a text to its gist; off until a model is configured.",
  valueLabel: "Text",
  inputs: [
    { name: "words", label: "Words at most", datatype: "integer", defaultValue: 50, hideTokenPicker: true },
    { name: "instructions", label: "Instructions", datatype: "textarea", hideTokenPicker: true },
  ],
  config: Config,
  output: "string",
  settings: ({ words, instructions }) => ({ words, instructions }),
  result: (found) => found["text"] ?? null,
  examples: [
    {
      says: "the gist",
      config: {},
      in: "A long text",
      requests: [
        { kind: "provider", service: "summarise", input: { words: 50, instructions: "", value: "A long text" } },
      ],
      answers: [{ ok: true, found: [{ text: "Short." }] }],
      out: "Short.",
    },
    { says: "blank where the model gave none", config: {}, in: "x", answers: [{ ok: true, found: [] }], out: null },
  ],
});
