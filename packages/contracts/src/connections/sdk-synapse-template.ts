/** What authors of uploaded synapses begin with: the template, and what this server takes and runs. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { SandboxAvailability } from "./sdk-synapse-shapes.ts";

export const getSdkPackageIndex = endpoint({
  name: "getSdkPackageIndex",
  method: "GET",
  path: "/custom-synapses/sdk/package-index",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "The packages that requirements may name, the limits of files, and whether uploaded code can run here.",
  reply: z.strictObject({
    packages: z.array(z.strictObject({ name: z.string(), version: z.string() })),
    /** Others are not installed: authors bundle them. */
    isInstalling: z.boolean(),
    /** Most bytes of each file. */
    limits: z.strictObject({ synapseFile: z.int(), requirementsFile: z.int(), iconFile: z.int() }),
    sandbox: SandboxAvailability,
  }),
});

const template = { method: "GET", access: "READ_CONNECTOR", scope: "instance" } as const;

export const getSdkSynapseTemplate = endpoint({
  ...template,
  name: "getSdkSynapseTemplate",
  path: "/custom-synapses/sdk/template",
  summary: "The guide for authors in Markdown, and the files of an example synapse.",
  reply: z.strictObject({
    guide: z.string(),
    files: z.array(z.strictObject({ fileName: z.string(), text: z.string() })),
  }),
});

export const downloadSdkSynapseTemplate = endpoint({
  ...template,
  name: "downloadSdkSynapseTemplate",
  path: "/custom-synapses/sdk/template.zip",
  summary: "The same as a ZIP archive, with the interface that a synapse is written on.",
  reply: z.string(),
});
