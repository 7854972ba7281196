/** Extract. */
import { z } from "zod";
import { defineServiceFunction } from "../kinds/provider.ts";

const Config = z.looseObject({
  members: z.array(z.string()).min(1, "needs at least one name").max(50, "may have 50 names at most"),
  instructions: z.string().max(2000, "may have 2,000 characters at most").default(""),
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
