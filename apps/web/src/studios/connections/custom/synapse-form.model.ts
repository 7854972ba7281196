/** The form of an HTTP synapse: what is typed, what is sent of it, and what is wrong with it. Pure. */
import {
  HttpSynapseSettings,
  settingsOfVersion,
  SynapseName,
  type SynapseVariable,
  type VariableValues,
} from "@accord/contracts/connections/http-synapse-definition";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { identifierFrom } from "../../../shared/names.ts";
import { typedTexts, withoutBlanks } from "../connections.model.ts";

export interface SynapseForm {
  name: string;
  displayName: string;
  description: string;
  endpoint: string;
  method: "GET" | "POST";
  testPath: string;
  body: string;
  headers: readonly { name: string; value: string }[];
  authType: string;
  authConfig: Readonly<Record<string, unknown>>;
  variables: readonly SynapseVariable[];
  errorSelector: string;
  timeoutSeconds: number;
  /** By variable; several values stand on a line each. */
  values: Readonly<Record<string, string>>;
  credentials: Readonly<Record<string, unknown>>;
}

export const NEW_SYNAPSE: SynapseForm = {
  name: "",
  displayName: "",
  description: "",
  endpoint: "",
  method: "GET",
  testPath: "",
  body: "",
  headers: [],
  authType: "apiKey",
  authConfig: {},
  variables: [],
  errorSelector: "",
  timeoutSeconds: 30,
  values: {},
  credentials: {},
};

export const NEW_VARIABLE: SynapseVariable = {
  name: "",
  displayName: "",
  helpText: "",
  required: false,
  multivalued: false,
};

const textOf = (value: string | string[]): string => (Array.isArray(value) ? value.join("\n") : value);

export function formOf(synapse: HttpSynapse): SynapseForm {
  const values = Object.fromEntries(Object.entries(synapse.variableValues).map(([key, value]) => [key, textOf(value)]));
  return { name: synapse.name, ...settingsOfVersion(synapse), values, credentials: {} };
}

/** Settings as they are sent, or what is wrong with them by path. */
export function settingsOf(
  form: SynapseForm,
): { settings: HttpSynapseSettings; problems?: never } | { settings: null; problems: Record<string, string> } {
  const { name, values: _, credentials: __, authConfig, headers, ...settings } = form;
  const parsed = HttpSynapseSettings.safeParse({
    ...settings,
    headers: headers.filter((header) => header.name !== "" || header.value !== ""),
    authConfig: withoutBlanks(authConfig),
  });
  const nameIssue = SynapseName.safeParse(name).error?.issues[0];
  if (parsed.success && !nameIssue) return { settings: parsed.data };
  const problems: Record<string, string> = nameIssue ? { name: nameIssue.message } : {};
  for (const { path, message } of parsed.error?.issues ?? []) problems[path.join(".")] ??= message;
  return { settings: null, problems };
}

/** Values of the variables that there are. */
export const valuesOf = ({ variables, values }: Pick<SynapseForm, "variables" | "values">): VariableValues =>
  Object.fromEntries(
    variables.flatMap(({ name, multivalued }) => {
      const text = values[name] ?? "";
      if (text.trim() === "") return [];
      const lines = text.split("\n").map((line) => line.trim());
      return [[name, multivalued ? lines.filter((line) => line !== "") : text.trim()]];
    }),
  );

export const credentialsOf = ({ credentials }: Pick<SynapseForm, "credentials">): Record<string, string> =>
  typedTexts(credentials);

/** `Acme CRM` → `acme_crm`. */
export const synapseNameFrom = (displayName: string): string => identifierFrom(displayName, 80);

/** The server's complaints by the path within the settings. */
export const settingsProblems = (problems: readonly { path: string; message: string }[]): Record<string, string> =>
  Object.fromEntries(problems.map(({ path, message }) => [path.replace(/^settings\./, ""), message]));

/** Those of one part, without its name. */
export const problemsIn = (part: string, problems: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path.startsWith(`${part}.`) ? [[path.slice(part.length + 1), message]] : [],
    ),
  );
