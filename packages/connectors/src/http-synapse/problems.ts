/** What is wrong with the description of an HTTP synapse, by field. */
import { ConnectorError } from "@accord/connector-sdk";
import type { FieldProblem } from "@accord/contracts";
import { descriptionProblems } from "@accord/contracts/connections/http-description";
import type {
  HttpSynapseDefinition,
  HttpSynapseSettings,
  VariableValues,
} from "@accord/contracts/connections/http-synapse-definition";
import { HttpConfig } from "../http/config.ts";
import { signInProblems } from "../http/sign-in/authorization.ts";
import { otherPlaceholdersIn, variablesIn } from "./address.ts";
import { compileSynapse } from "./compile.ts";

/** Values with which a description is tried for its form: digits can stand for a part of a host, and for its port. */
function sampleValues({ endpoint, variables }: HttpSynapseSettings): VariableValues {
  const [first] = /^\s*\{\{/.test(endpoint) ? variablesIn(endpoint) : [];
  return Object.fromEntries(variables.map(({ name }) => [name, name === first ? "https://sample.example" : "8080"]));
}

/** Members of the compiled configuration, as the description calls them. */
const NAMES: Readonly<Record<string, string>> = {
  baseUrl: "endpoint",
  checkPath: "testPath",
  checkBody: "body",
  checkMethod: "method",
  apiKeyName: "authConfig.apiKeyName",
  tokenUrl: "authConfig.tokenUrl",
  authorizationUrl: "authConfig.authorizationUrl",
  authorizationParameters: "authConfig.authorizationParameters",
  scope: "authConfig.scope",
  issuer: "authConfig.issuer",
};
const named = (path: string): string => {
  const [first = "", ...rest] = path.split(".");
  return [NAMES[first] ?? first, ...rest].join(".");
};

export function settingsProblems(settings: HttpSynapseSettings): FieldProblem[] {
  const templates = templateProblems(settings);
  if (templates.length > 0) return templates;
  try {
    const parsed = HttpConfig.safeParse(compileSynapse(settings, sampleValues(settings)));
    if (!parsed.success)
      return parsed.error.issues.map(({ path, message }) => ({ path: named(path.join(".")), message }));
    return signInProblems(parsed.data, settings.authType).map(({ path, message }) => ({ path: named(path), message }));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return [{ path: "endpoint", message: error.message }];
  }
}

/** Variables that nobody is asked for, and a body that is no JSON. */
function templateProblems(settings: HttpSynapseSettings): FieldProblem[] {
  const { endpoint, testPath, body, headers, authConfig } = settings;
  const templates: [string, string][] = [
    ["endpoint", endpoint],
    ["testPath", testPath],
    ["body", body],
    ["authConfig.tokenUrl", authConfig.tokenUrl],
    ["authConfig.authorizationUrl", authConfig.authorizationUrl],
    ...headers.map(({ value }, at): [string, string] => [`headers.${at}.value`, value]),
  ];
  const known = new Set(settings.variables.map(({ name }) => name));
  return [
    ...templates.flatMap(([path, template]) => unknownIn(path, template, known)),
    ...templates.flatMap(([path, template]) =>
      otherPlaceholdersIn(template).map((inner) => ({
        path,
        message: `{{${inner}}} means nothing here: variables are written as {{variable.name}}`,
      })),
    ),
    ...(isJsonOrBlank(body) ? [] : [{ path: "body", message: "must be JSON; placeholders stand in quotes" }]),
  ];
}

const unknownIn = (path: string, template: string, known: ReadonlySet<string>): FieldProblem[] =>
  variablesIn(template).flatMap((name) =>
    known.has(name) ? [] : [{ path, message: `names the variable ${name}, which is not in the list of variables` }],
  );

function isJsonOrBlank(text: string): boolean {
  if (text.trim() === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What keeps a description from being published. */
export function synapseProblems(definition: HttpSynapseDefinition): FieldProblem[] {
  const { settings, entities } = definition;
  const own = settingsProblems(settings);
  if (own.length > 0) return own;
  if (entities.length === 0) return [{ path: "entities", message: "add at least one entity" }];
  return entities.flatMap((entity, at) =>
    entityProblems(settings, entity.config).map(({ path, message }) => ({ path: `entities.${at}.${path}`, message })),
  );
}

export function entityProblems(
  settings: HttpSynapseSettings,
  config: HttpSynapseDefinition["entities"][number]["config"],
): FieldProblem[] {
  const known = new Set(settings.variables.map(({ name }) => name));
  const templates = Object.entries(callsOf(config)).flatMap(([at, call]) =>
    call
      ? [
          ...unknownIn(`${at}.path`, call.path, known),
          ...unknownIn(`${at}.body`, call.body, known),
          ...call.headers.flatMap(({ value }, index) => unknownIn(`${at}.headers.${index}.value`, value, known)),
        ]
      : [],
  );
  const described = descriptionProblems(config).map(({ path, message }) => ({ path: path.join("."), message }));
  if (config.fields.length === 0)
    return [...templates, { path: "fields", message: "read the fields from an answer, or add some" }];
  return [...templates, ...described];
}

const callsOf = (config: HttpSynapseDefinition["entities"][number]["config"]) => {
  const { list, getById, lookup, create, update, delete: deletion } = config;
  return { list, getById, lookup, create, update, delete: deletion };
};
