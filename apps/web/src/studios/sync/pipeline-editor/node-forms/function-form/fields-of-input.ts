/** Fields for inputs that name those of an entity or of a system's object, which other inputs choose. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { listEntities } from "@accord/contracts/data/core-schema";
import type { NodeConfiguration } from "@accord/contracts/sync/graph";
import { useEndpoint } from "../../../../../app/queries.ts";
import type { BuilderField } from "../../../../../shared/predicate-builder/predicate.model.ts";
import { useWords } from "../../../../../app/words.ts";
import { useConnectorEntity } from "../../queries.ts";

const OF_ENTITY = "coreEntityFields";
const OF_OBJECT = "connectorEntityFields";
/** Offers the id of the record itself too. */
const RECORD_FIELD = "recordField";

const textAt = (configuration: NodeConfiguration, name: string | undefined): string | undefined => {
  const held = name === undefined ? undefined : configuration[name];
  return typeof held === "string" && held !== "" ? held : undefined;
};

/** Undefined for inputs that follow none: fields of the pipeline's own entity are meant. */
export function useFieldsOf(
  inputs: readonly InputDefinition[],
  configuration: NodeConfiguration,
): (input: InputDefinition) => readonly BuilderField[] | undefined {
  const { t } = useWords("sync");
  const ofObject = inputs.find(({ dependsOn }) => dependsOn?.dependantType === OF_OBJECT)?.dependsOn;
  const followsEntity = inputs.some(({ dependsOn }) => dependsOn?.dependantType === OF_ENTITY);
  const entities = useEndpoint(listEntities, { query: {} }, { enabled: followsEntity }).data?.entities;
  const connectorId = textAt(configuration, ofObject?.params?.["connectorId"]);
  const object = useConnectorEntity(connectorId, textAt(configuration, ofObject?.dependantField)).data;
  return ({ dependsOn, renderType }) => {
    if (dependsOn?.dependantType === OF_OBJECT) return object?.schema.fields.filter(isActive) ?? [];
    if (dependsOn?.dependantType !== OF_ENTITY) return undefined;
    const chosen = textAt(configuration, dependsOn.dependantField);
    const fields = entities?.find(({ apiName }) => apiName === chosen)?.fields.filter(isActive) ?? [];
    const ownId: BuilderField = { apiName: "accordId", displayName: t("configure.recordId"), dataType: "string" };
    return renderType === RECORD_FIELD && fields.length > 0 ? [ownId, ...fields] : fields;
  };
}

const isActive = ({ status }: { status: string }): boolean => status === "ACTIVE";
