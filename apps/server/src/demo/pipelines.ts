/** The demo's entities and pipelines: Account between Billing and the CRM, Flight from a folder of files. */
import type { Id } from "@accord/contracts";
import { CreateEntityBody } from "@accord/contracts/data/core-schema";
import type { Graph } from "@accord/contracts/sync/graph";
import type { SchemaService } from "../modules/data/schema/index.ts";
import type { PipelineService } from "../modules/sync/pipelines/index.ts";
import type { Caller } from "../platform/ctx.ts";
import { accountPipeline, DEMO_VERSION } from "./account-pipeline.ts";
import { FLIGHT_ENTITY, FLIGHT_VERSION, flightPipeline } from "./flight-pipeline.ts";
import type { DemoPlace, DemoStep } from "./index.ts";

interface Services {
  schema: Pick<SchemaService, "findEntity" | "createEntity">;
  pipelines: Pick<PipelineService, "createDraft" | "saveDraft" | "publish">;
}

/** Bears being run again after an interruption: what is there is not made twice. */
export function pipelinesStep({ schema, pipelines }: Services): DemoStep {
  const publish = async (place: DemoPlace, entityId: Id<"entity">, graph: Graph, version: typeof DEMO_VERSION) => {
    const caller: Caller = { instanceId: place.instanceId, actor: place.actor, can: () => true };
    const draft = await pipelines.createDraft(caller, entityId);
    if (draft.hasPublished) return;
    const saved = await pipelines.saveDraft(caller, entityId, { graph, revision: draft.revision });
    await pipelines.publish(caller, entityId, { ...version, revision: saved.revision, bringInExisting: true });
  };
  return {
    name: "pipelines",
    async make(place) {
      const at = place.instanceId;
      const author = { instanceId: at, by: place.actor.email };
      const account = await schema.findEntity(at, "Account");
      const flight =
        (await schema.findEntity(at, FLIGHT_ENTITY.apiName)) ??
        (await schema.createEntity(author, CreateEntityBody.parse(FLIGHT_ENTITY)));
      if (account) await publish(place, account.id, accountPipeline(place.connectors), DEMO_VERSION);
      await publish(place, flight.id, flightPipeline(place.connectors), FLIGHT_VERSION);
    },
  };
}
