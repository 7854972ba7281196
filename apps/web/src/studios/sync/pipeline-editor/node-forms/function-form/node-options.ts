/** Choices that a node's definition leaves to the world: cases of the Switch before, systems, entities, lists, roles. */
import { listConnectorEntities, listConnectors } from "@accord/contracts/connections/connectors";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { listEntities } from "@accord/contracts/data/core-schema";
import { getReferenceData, listReferenceData } from "@accord/contracts/data/reference-data";
import { listRoles } from "@accord/contracts/identity/roles";
import { getCustomAction, listCustomActions } from "@accord/contracts/sync/actions";
import type { Graph } from "@accord/contracts/sync/graph";
import { edgesInto, functionName, nodeById } from "@accord/sync-engine/graph";
import { BUILT_IN_ROLES, id } from "@accord/contracts";
import { z } from "zod";
import { ApiError } from "../../../../../app/api-error.ts";
import { call } from "../../../../../app/api.ts";
import type { Option } from "../../../../../shared/config-form/config-form.model.ts";

const Cases = z.array(z.object({ name: z.string() }));

/** Ways out of a Switch that are always there. */
const STANDING_CASES = ["Default", "Any"];

/** Names of the cases that a branch may stand for: those of the Switch it is connected behind. */
export function caseNames(graph: Graph, nodeId: string): string[] {
  const named = edgesInto(graph, nodeId).flatMap((edge) => {
    const before = nodeById(graph, edge.source.nodeId);
    const cases =
      before && functionName(before) === "case" ? Cases.safeParse(before.configuration["cases"]).data : undefined;
    return (cases ?? []).map((one) => one.name);
  });
  return [...new Set([...named, ...STANDING_CASES])];
}

/** The definition with what the graph itself knows filled in. */
export function withCases(inputs: readonly InputDefinition[], graph: Graph, nodeId: string): InputDefinition[] {
  return inputs.map((input) =>
    input.renderType === "caseName"
      ? { ...input, values: caseNames(graph, nodeId).map((name) => ({ id: name, label: name })) }
      : input,
  );
}

/** Loads what a choice offers. A kind of choice unknown here offers nothing. */
export async function loadNodeOptions(input: InputDefinition, controlling: unknown): Promise<readonly Option[]> {
  switch (input.renderType) {
    case "connector": {
      const { connectors } = await call(listConnectors);
      return connectors.filter(({ status }) => status === "ACTIVE").map(({ id, name }) => ({ id, label: name }));
    }
    case "connectorEntity": {
      const { entities } = await call(listConnectorEntities, { params: { connectorId: String(controlling) } });
      return entities.map(({ apiName, displayName }) => ({ id: apiName, label: displayName }));
    }
    case "coreEntity": {
      const { entities } = await call(listEntities, { query: {} });
      return entities.map(({ apiName, displayName }) => ({ id: apiName, label: displayName }));
    }
    case "referenceData": {
      const { lists } = await call(listReferenceData);
      return lists.filter(({ status }) => status === "ACTIVE").map(({ id, name }) => ({ id, label: name }));
    }
    case "referenceColumn": {
      const listId = id("referenceList").safeParse(controlling);
      if (!listId.success) return [];
      const { columns } = await call(getReferenceData, { params: { listId: listId.data } });
      return columns.map((column) => ({ id: column, label: column }));
    }
    case "customAction": {
      const { actions } = await call(listCustomActions);
      return actions.map(({ id, displayName }) => ({ id, label: displayName }));
    }
    case "actionVariables": {
      const { variables } = await call(getCustomAction, {
        params: { actionId: id("customAction").parse(controlling) },
      });
      return variables.map(({ name, required }) => ({ id: name, label: required ? `${name} *` : name }));
    }
    case "roles": {
      return await roleOptions();
    }
    default:
      return [];
  }
}

/** Who may not list roles can still name the built-in ones. */
async function roleOptions(): Promise<Option[]> {
  try {
    const { roles } = await call(listRoles);
    return roles.map(({ key, name }) => ({ id: key, label: name }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    return BUILT_IN_ROLES.map((key) => ({ id: key, label: inWords(key) }));
  }
}

const inWords = (key: string): string =>
  key.toLowerCase().replaceAll(/(^|_)([a-z])/g, (_, gap, letter) => `${gap ? " " : ""}${String(letter).toUpperCase()}`);
