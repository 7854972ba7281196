/** What publishing a draft changes for connections, and what of it may break them. */
import type { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";
import type { SynapseChange, SynapseEntitySummary } from "@accord/contracts/connections/http-synapses";
import { isDeepStrictEqual } from "node:util";

type Entity = HttpSynapseDefinition["entities"][number]["config"];

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
  const wasRequired = new Set(was.variables.filter(({ required }) => required).map(({ name }) => name));
  const names = new Set(is.variables.map(({ name }) => name));
  const isMoved = was.endpoint !== is.endpoint || was.authConfig.tokenUrl !== is.authConfig.tokenUrl;
  const isSignedInOtherwise = was.authType !== is.authType || !isDeepStrictEqual(was.authConfig, is.authConfig);
  return [
    ...(isMoved ? [change("addressChanged", true)] : []),
    ...(isSignedInOtherwise ? [change("authenticationChanged", was.authType !== is.authType)] : []),
    ...is.variables
      .filter(({ name, required }) => required && !wasRequired.has(name))
      .map(({ name }) => change("variableRequired", true, null, name)),
    ...was.variables
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => change("variableRemoved", false, null, name)),
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
    ...(was.idField === is.idField ? [] : [change("idFieldChanged", true, was.apiName, is.idField)]),
    ...operationsOf(was)
      .filter((operation) => !operations.has(operation))
      .map((operation) => change("operationRemoved", true, was.apiName, operation)),
  ];
}
