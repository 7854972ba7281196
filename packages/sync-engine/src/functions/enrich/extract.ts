/** Extract. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import { defineServiceFunction } from "../kinds/provider.ts";

const Config = z.looseObject({
  members: z
    .array(z.string())
    .min(1, nodeSettings.atLeastOneName)
    .max(50, fill(nodeSettings.namesAtMost, { limit: 50 })),
  instructions: z
    .string()
    .max(2000, fill(nodeSettings.charactersAtMost, { limit: "2,000" }))
    .default(""),
});
const config = { members: ["orderNumber"] };

export const extract = defineServiceFunction({
  name: "extract",
  label: "Extract",
  summary: "Lets a language model take named facts out of a text; off until a model is configured.",
  valueLabel: "Text",
  inputs: [
    {
      name: "members",
      label: "Facts",
      datatype: "text",
      repeatable: true,
      required: true,
      hideTokenPicker: true,
      helpText: "Names such as orderNumber: they are the members of the result.",
    },
    { name: "instructions", label: "Instructions", datatype: "textarea", hideTokenPicker: true },
  ],
  config: Config,
  output: "object",
  settings: ({ members, instructions }) => ({ members, instructions }),
  result: (found) => ({ ...found }),
  examples: [
    {
      says: "the facts as an object",
      config,
      in: "About order 4711",
      requests: [
        {
          kind: "provider",
          service: "extract",
          input: { members: ["orderNumber"], instructions: "", value: "About order 4711" },
        },
      ],
      answers: [{ ok: true, found: [{ orderNumber: "4711" }] }],
      out: { orderNumber: "4711" },
    },
    { says: "blank where there are none", config, in: "Hello", answers: [{ ok: true, found: [] }], out: null },
  ],
});
