/** What a connection by manifest needs: the manifest, its inputs, and those of them that are secret. */
import type { AuthMethod } from "@accord/connector-sdk";
import { ConnectorError } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { MAX_MANIFEST_LENGTH } from "@accord/contracts/connections/manifest-facts";
import { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { originsOf } from "./document/describe.ts";
import { inputsOf, joined, splitSecrets, withDefaults } from "./document/inputs.ts";
import { parseManifest } from "./document/manifest.ts";
import { readObject } from "./document/read-yaml.ts";

export const ManifestConfig = z
  .object({
    manifest: z
      .string()
      .min(1, "is required")
      .max(
        MAX_MANIFEST_LENGTH,
        `must have ${MAX_MANIFEST_LENGTH} characters at most: take out streams that are not needed`,
      ),
    /** YAML or JSON. */
    inputs: z
      .string()
      .max(100_000)
      .nullish()
      .transform((text) => text ?? ""),
  })
  .superRefine((config, context) => {
    const issue = (path: string, message: string): void => {
      context.addIssue({ code: "custom", path: [path], message });
    };
    const described = attempt(
      () => {
        const manifest = parseManifest(config.manifest);
        return { manifest, declared: inputsOf(manifest.specification) };
      },
      (message) => issue("manifest", message),
    );
    const inputs = attempt(
      () => readInputs(config.inputs),
      (message) => issue("inputs", message),
    );
    if (!described || !inputs) return;
    const { manifest, declared } = described;
    for (const path of pathsOf(splitSecrets(declared, inputs).secret))
      issue("inputs", `${path} is secret: enter it under Secret inputs, where it is stored encrypted`);
    const plain = withDefaults(declared, inputs);
    for (const problem of originsOf(manifest, plain).problems) issue("inputs", problem);
  });
export type ManifestConfig = z.output<typeof ManifestConfig>;

function attempt<Result>(work: () => Result, onProblem: (message: string) => void): Result | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    onProblem(error.message);
    return null;
  }
}

const pathsOf = (values: Values, path = ""): string[] =>
  Object.entries(values).flatMap(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? pathsOf(value, `${path}${key}.`)
      : [`${path}${key}`],
  );

/** Plain inputs as they were entered, without defaults. */
export const readInputs = (text: string): Values => readObject(text, "The inputs");

/** Plain inputs with their defaults: what decides where requests may go. */
export function plainInputs(config: ManifestConfig): Values {
  return withDefaults(inputsOf(parseManifest(config.manifest).specification), readInputs(config.inputs));
}

export const allInputs = (config: ManifestConfig, secrets: string): Values =>
  joined(plainInputs(config), secretInputs(secrets));

/** JSON alone: what it holds is masked in messages, which therefore must be found in it. Never quoted. */
function secretInputs(text: string): Values {
  if (text.trim() === "") return {};
  const parsed = Values.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The secret inputs are no JSON object.", {
    hint: 'Enter them as names with their values: {"api_key": "…"}',
  });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** One set of inputs, as other programs keep them, in the two parts that a connection stores. */
export function splitInputs(manifest: string, inputs: string): { inputs: string; secrets: string } {
  const declared = inputsOf(parseManifest(manifest).specification);
  const { plain, secret } = splitSecrets(declared, readInputs(inputs));
  return { inputs: JSON.stringify(plain), secrets: JSON.stringify(secret) };
}

export const MANIFEST_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "manifest",
    label: "Manifest",
    datatype: "textarea",
    required: true,
    helpText: "The whole text of a low-code manifest (manifest.yaml), unchanged.",
  },
  {
    name: "inputs",
    label: "Inputs",
    datatype: "textarea",
    helpText: "What the manifest asks for, as YAML or JSON: start_date: 2024-01-01. Without the secret ones.",
  },
];

export const MANIFEST_AUTH_METHODS: AuthMethod[] = [
  {
    type: "apiSecretKey",
    label: "Secret inputs",
    fields: [
      {
        name: "secrets",
        label: "Secret inputs",
        datatype: "password",
        secret: true,
        required: true,
        helpText: 'As JSON: {"api_key": "…"}',
      },
    ],
  },
  { type: "none", label: "None", fields: [] },
];
