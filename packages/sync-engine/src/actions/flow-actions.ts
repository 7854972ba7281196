/** Actions on the record's own way: ending it, and answering the webhook that brought the record. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import { input, schemaIssues } from "../functions/define.ts";
import type { ActionDefinition } from "./define.ts";

const STOP = z.looseObject({ reason: z.string().default("") });
const RESPOND = z.looseObject({
  responseCode: z.coerce
    .number()
    .int()
    .min(200, fill(nodeSettings.between, { least: 200, most: 599 }))
    .max(599, fill(nodeSettings.between, { least: 200, most: 599 }))
    .default(200),
  headers: z
    .array(z.object({ name: z.string().min(1, nodeSettings.needsName), value: z.string().default("") }))
    .default([]),
  responseTemplate: z.string().max(200_000).default(""),
});
const noWork = () => (): never => {
  throw new Error("this action has no work of its own");
};

export const stopProcessing: ActionDefinition = {
  name: "stopProcessing",
  label: "Stop processing",
  summary: "Ends the path of the record here.",
  group: "flow",
  levels: ["entity", "field"],
  effect: "stop",
  inputs: [
    input({
      name: "reason",
      label: "Reason",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "For people who read the pipeline.",
    }),
  ],
  check: (configuration) => schemaIssues(STOP, configuration, () => false),
  prepare: noWork,
  examples: [],
};

export const respondToWebhook: ActionDefinition = {
  name: "respondToWebhook",
  label: "Respond to webhook",
  summary: "Answers the webhook that brought the record; the nodes after it go on without the caller waiting.",
  group: "flow",
  levels: ["entity"],
  effect: "pass",
  inputs: [
    input({
      name: "responseCode",
      label: "Status code",
      datatype: "integer",
      defaultValue: 200,
      hideTokenPicker: true,
    }),
    input({
      name: "headers",
      label: "Headers",
      datatype: "composite",
      renderType: "headers",
      repeatable: true,
      allowUserToken: true,
    }),
    input({ name: "responseTemplate", label: "Answer", datatype: "textarea", allowUserToken: true }),
  ],
  check: (configuration) => schemaIssues(RESPOND, configuration, () => false),
  prepare: noWork,
  examples: [],
};
