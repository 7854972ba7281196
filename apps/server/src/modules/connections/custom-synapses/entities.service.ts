/** Use cases of the entities of HTTP synapses: those of a draft are changed, those of a published version are looked at. */
import { ConnectorError } from "@accord/connector-sdk";
import { entityProblems, proposeFrom } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import {
  SYNAPSE_ENTITY_LIMIT,
  type HttpSynapseDefinition,
  type SynapseEntity,
} from "@accord/contracts/connections/http-synapse-definition";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { refuse } from "../connectors/index.ts";
import { demandSize } from "./draft-size.ts";
import { parseAnswer } from "./parse-answer.ts";
import { demandDraft, type SynapsesService } from "./synapses.service.ts";
import { editSynapse, type SynapsePlace } from "./synapses.store.ts";

export function synapseEntitiesService(deps: Deps, synapses: SynapsesService) {
  /** Changes the draft's list of entities. What is changed has the draft's new revision as its own: none comes twice. */
  const changeEntities = <Result>(
    place: SynapsePlace,
    work: (draft: HttpSynapseDefinition, revision: number) => { entities: SynapseEntity[]; result: Result },
  ): Promise<Result> =>
    synapses.change(place, async (tx, row) => {
      const draft = demandDraft(row);
      const draftRevision = row.draft_revision + 1;
      const { entities, result } = work(draft, draftRevision);
      const next = { ...draft, entities };
      // One that is too large already gets smaller by each entity that is deleted.
      if (entities.length >= draft.entities.length) demandSize(next, "config");
      await editSynapse(tx, place, { draft: next, draftRevision }, deps.clock.now());
      return result;
    });

  const demandNew = (others: readonly SynapseEntity[], { apiName }: HttpEntityConfig): void => {
    if (!others.some(({ config }) => config.apiName === apiName)) return;
    throw new AppError(
      "name_taken",
      { name: apiName },
      { errors: [{ path: "config.apiName", message: "is already taken" }] },
    );
  };

  const refuseWrong = ({ settings }: HttpSynapseDefinition, config: HttpEntityConfig): void =>
    refuse(entityProblems(settings, config).map(({ path, message }) => ({ path: `config.${path}`, message })));

  return {
    async list(place: SynapsePlace, version: number | undefined) {
      const opened = await synapses.openVersion(await synapses.find(place), version);
      return { version: opened.version, status: opened.status, entities: opened.definition.entities };
    },

    async get(place: SynapsePlace, entityId: string, version: number | undefined): Promise<SynapseEntity> {
      const { definition } = await synapses.openVersion(await synapses.find(place), version);
      return demandEntity(definition, entityId);
    },

    create: (place: SynapsePlace, config: HttpEntityConfig): Promise<SynapseEntity> =>
      changeEntities(place, (draft, revision) => {
        if (draft.entities.length >= SYNAPSE_ENTITY_LIMIT)
          throw invalidField(
            "config",
            `would be one more than the ${SYNAPSE_ENTITY_LIMIT} entities a synapse may have`,
          );
        demandNew(draft.entities, config);
        refuseWrong(draft, config);
        const result = { entityId: deps.newId<"synapseEntity">(), revision, config };
        return { entities: [...draft.entities, result], result };
      }),

    update: (
      place: SynapsePlace,
      entityId: Id<"synapseEntity">,
      { revision, config }: { revision: number; config: HttpEntityConfig },
    ): Promise<SynapseEntity> =>
      changeEntities(place, (draft, next) => {
        const known = demandEntity(draft, entityId, revision);
        demandNew(
          draft.entities.filter((one) => one !== known),
          config,
        );
        refuseWrong(draft, config);
        const result = { entityId, revision: next, config };
        return { entities: draft.entities.map((one) => (one === known ? result : one)), result };
      }),

    remove: (place: SynapsePlace, entityId: Id<"synapseEntity">, revision: number) =>
      changeEntities(place, (draft) => {
        const known = demandEntity(draft, entityId, revision);
        return { entities: draft.entities.filter((one) => one !== known), result: { entityId } };
      }),

    /** Fields from an answer that somebody pasted. */
    propose({ json, recordSelector }: { json: string; recordSelector: string }) {
      const answer = parseAnswer(json);
      try {
        const { proposed, ...proposal } = proposeFrom(answer, recordSelector);
        return { ...proposal, fields: proposed };
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error;
        throw invalidField("recordSelector", [error.message, error.hint].filter(Boolean).join(" "));
      }
    },
  };
}

export type SynapseEntitiesService = ReturnType<typeof synapseEntitiesService>;

/** @throws AppError("not_found" | "stale_version") `revision`: as the caller knows it. */
function demandEntity({ entities }: HttpSynapseDefinition, entityId: string, revision?: number): SynapseEntity {
  const entity = entities.find((one) => one.entityId === entityId);
  if (!entity) throw new AppError("not_found", { what: "Entity" });
  if (revision !== undefined && entity.revision !== revision)
    throw new AppError("stale_version", { version: entity.revision });
  return entity;
}
