/** What publishing a draft changes for connections, and what of it may break them. */
import type { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";
import type { SynapseChange, SynapseEntitySummary } from "@accord/contracts/connections/http-synapses";
import { isDeepStrictEqual } from "node:util";

type Settings = HttpSynapseDefinition["settings"];
type Entity = HttpSynapseDefinition["entities"][number]["config"];
type Field = Entity["fields"][number];

export const operationsOf = ({ getById, create, update, ...more }: Entity): SynapseEntitySummary["operations"] => [
  "list",
  ...(getById ? (["getById"] as const) : []),
  ...(create ? (["create"] as const) : []),
  ...(update ? (["update"] as const) : []),
  ...(more.delete ? (["delete"] as const) : []),
];

/** Nothing where none was published before. */
export function synapseChanges(before: HttpSynapseDefinition | null, now: HttpSynapseDefinition): SynapseChange[] {
  if (!before) return [];
  return [...settingsChanges(before, now), ...entitiesChanges(before, now)];
}

const change = (
  kind: SynapseChange["kind"],
  isBreaking: boolean,
  entity: string | null = null,
  name: string | null = null,
): SynapseChange => ({ kind, isBreaking, entity, name });

function settingsChanges(before: HttpSynapseDefinition, now: HttpSynapseDefinition): SynapseChange[] {
  const [was, is] = [before.settings, now.settings];
  const isOther = (part: (settings: Settings) => unknown): boolean => !isDeepStrictEqual(part(was), part(is));
  const isSignedInOtherwise = isOther(signInOf);
  return [
    ...(isOther(addressesOf) ? [change("addressChanged", true)] : []),
    ...(isSignedInOtherwise || isOther(({ authConfig }) => authConfig.scope)
      ? [change("authenticationChanged", isSignedInOtherwise)]
      : []),
    ...variablesChanges(was.variables, is.variables),
    ...(isOther(callsOf) ? [change("settingsChanged", false)] : []),
  ];
}

const addressesOf = ({ endpoint, authConfig: { tokenUrl, authorizationUrl } }: Settings): string[] => [
  endpoint,
  tokenUrl,
  authorizationUrl,
];

/** How a connection proves who it is; fewer or more scopes leave the credentials what they are. */
function signInOf({ authType, authConfig }: Settings) {
  const { scope: _, tokenUrl: _token, authorizationUrl: _page, ...rest } = authConfig;
  return { authType, ...rest };
}

/** Sent with calls, or expected of their answers. */
const callsOf = ({ method, testPath, body, headers, errorSelector, timeoutSeconds }: Settings) => ({
  test: { method, testPath, body },
  headers,
  errorSelector,
  timeoutSeconds,
});

function variablesChanges(was: Settings["variables"], is: Settings["variables"]): SynapseChange[] {
  const before = new Map(was.map((variable) => [variable.name, variable]));
  const names = new Set(is.map(({ name }) => name));
  return [
    ...is
      .filter(({ name, required }) => required && !before.get(name)?.required)
      .map(({ name }) => change("variableRequired", true, null, name)),
    // One value is a list of one; a list that is stored is no text.
    ...is.flatMap(({ name, multivalued }) => {
      const known = before.get(name);
      return known && known.multivalued !== multivalued
        ? [change("variableChanged", known.multivalued, null, name)]
        : [];
    }),
    ...was.filter(({ name }) => !names.has(name)).map(({ name }) => change("variableRemoved", false, null, name)),
  ];
}

function entitiesChanges(before: HttpSynapseDefinition, now: HttpSynapseDefinition): SynapseChange[] {
  const were = new Map(before.entities.map(({ config }) => [config.apiName, config]));
  const are = new Map(now.entities.map(({ config }) => [config.apiName, config]));
  const added = [...are.keys()].filter((name) => !were.has(name)).map((name) => change("entityAdded", false, name));
  return [
    ...added,
    ...[...were].flatMap(([name, was]) => {
      const is = are.get(name);
      return is ? entityChanges(was, is) : [change("entityRemoved", true, name)];
    }),
  ];
}

function entityChanges(was: Entity, is: Entity): SynapseChange[] {
  const fields = new Map(is.fields.map((field) => [field.apiName, field]));
  const operations = new Set(operationsOf(is));
  const ofFields = was.fields.flatMap(({ apiName, dataType, isMultiValueField }) => {
    const field = fields.get(apiName);
    if (!field) return [change("fieldRemoved", true, was.apiName, apiName)];
    const isSame = field.dataType === dataType && field.isMultiValueField === isMultiValueField;
    return isSame ? [] : [change("fieldTypeChanged", true, was.apiName, apiName)];
  });
  return [
    ...ofFields,
    ...(isDeepStrictEqual(idOf(was), idOf(is)) ? [] : [change("idFieldChanged", true, was.apiName, is.idField)]),
    ...operationsOf(was)
      .filter((operation) => !operations.has(operation))
      .map((operation) => change("operationRemoved", true, was.apiName, operation)),
    ...(isCalledOtherwise(was, is) ? [change("callChanged", false, was.apiName)] : []),
  ];
}

const readAt = ({ apiName, path }: Field): string => path || apiName;

/** Another place in the answer holds other ids. */
const idOf = ({ idField, fields }: Entity): (string | undefined)[] => [
  idField,
  ...fields.filter(({ apiName }) => apiName === idField).map(readAt),
];

/** Members of a description that are listed by themselves. */
const LISTED: ReadonlySet<string> = new Set(["apiName", "displayName", "fields", "idField"]);
/** Those whose absence is listed as an operation that is lost or gained. */
const OPERATIONS: ReadonlySet<string> = new Set(["getById", "create", "update", "delete"]);

/** Whether the same operations ask for something else, or find the same fields elsewhere. */
function isCalledOtherwise(was: Entity, is: Entity): boolean {
  const before = new Map<string, unknown>(Object.entries(was));
  const now = new Map<string, unknown>(Object.entries(is));
  const members = new Set([...before.keys(), ...now.keys()].filter((member) => !LISTED.has(member)));
  const isOther = [...members].some((member) => {
    const [old, next] = [before.get(member) ?? null, now.get(member) ?? null];
    if (OPERATIONS.has(member) && (old === null || next === null)) return false;
    return !isDeepStrictEqual(old, next);
  });
  const fields = new Map(is.fields.map((field) => [field.apiName, field]));
  return (
    isOther ||
    was.fields.some((field) => {
      const next = fields.get(field.apiName);
      return next !== undefined && !isDeepStrictEqual(placesOf(field), placesOf(next));
    })
  );
}

const placesOf = (field: Field) => {
  const { writePath, clearPath, sentAs, partLength = null, moreSelector } = field;
  return [readAt(field), writePath, clearPath, sentAs, partLength, moreSelector];
};
