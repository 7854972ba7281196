/** Custom synapses that are described: the module and its endpoints. */
import * as entitiesApi from "@accord/contracts/connections/http-synapse-entities";
import { SYNAPSE_AUTH_TYPES } from "@accord/contracts/connections/http-synapse-definition";
import * as optionsApi from "@accord/contracts/connections/http-synapse-options";
import * as sharingApi from "@accord/contracts/connections/http-synapse-sharing";
import * as testsApi from "@accord/contracts/connections/http-synapse-tests";
import * as api from "@accord/contracts/connections/http-synapses";
import type { Deps } from "../../../platform/deps.ts";
import { route, type Module, type Route } from "../../../platform/module.ts";
import { synapseEntitiesService } from "./entities.service.ts";
import { DATATYPES, PAGINATION_OPTIONS } from "./options.ts";
import { sharingService, type SharingNeeds } from "./sharing.ts";
import { authMethodOfSynapse, synapsesService, type SynapsesService } from "./synapses.service.ts";
import { synapseTests } from "./tests.service.ts";

export function customSynapsesModule(deps: Deps, needs: SharingNeeds): Module {
  const synapses = synapsesService(deps, needs.connections);
  const sharing = sharingService(deps, synapses, needs);
  const tryCall = synapseTests(deps, synapses);
  return {
    name: "connections/custom-synapses",
    routes: [
      ...synapseRoutes(synapses),
      ...entityRoutes(deps, synapses),
      route(testsApi.testHttpSynapse, ({ instanceId }, { body }) => tryCall(instanceId, body)),
      route(testsApi.testHttpSynapseWrite, ({ instanceId }, { body }) => tryCall(instanceId, body)),
      route(sharingApi.getSynapseShareScope, (ctx) => sharing.scopes(ctx)),
      route(sharingApi.getSynapseShare, (ctx, { params }) => sharing.get(ctx, params.connectorMetaDefinitionId)),
      route(sharingApi.shareSynapse, (ctx, { params, body }) =>
        sharing.set(ctx, params.connectorMetaDefinitionId, body),
      ),
    ],
  };
}

const synapseRoutes = (synapses: SynapsesService): Route[] => [
  route(api.listCustomSynapses, async ({ instanceId }) => ({ synapses: await synapses.list(instanceId) })),
  route(optionsApi.listSynapseAuthTypes, async () => ({
    authTypes: SYNAPSE_AUTH_TYPES.map((type) => ({ ...authMethodOfSynapse({ authType: type }), type })),
  })),
  route(optionsApi.listSynapseDatatypes, async () => ({ datatypes: DATATYPES })),
  route(api.createHttpSynapse, (ctx, { body }) => {
    const { name, iconFile, variableValues = {}, headers = [], variables = [], authConfig, ...rest } = body;
    const settings = api.settingsOf({ ...rest, headers, variables, authConfig });
    return synapses.create(ctx, { name, settings, variableValues, iconFile });
  }),
  route(api.getHttpSynapse, ({ instanceId }, { params, query }) =>
    synapses.get({ instanceId, synapseId: params.metadataId }, query.version),
  ),
  route(api.updateSynapseDraft, ({ instanceId }, { params, body }) =>
    synapses.updateDraft({ instanceId, synapseId: params.metadataId }, body),
  ),
  route(api.setSynapseIcon, (ctx, { params, body }) => synapses.setIcon(ctx, params.metadataId, body.iconFile)),
  route(api.createSynapseDraft, ({ instanceId }, { params }) =>
    synapses.createDraft({ instanceId, synapseId: params.metadataId }),
  ),
  route(api.discardSynapseDraft, ({ instanceId }, { params, body }) =>
    synapses.discardDraft({ instanceId, synapseId: params.metadataId }, body.revision),
  ),
  route(api.getSynapseChanges, ({ instanceId }, { params }) =>
    synapses.changes({ instanceId, synapseId: params.metadataId }),
  ),
  route(api.publishSynapseDraft, (ctx, { params, body }) => synapses.publish(ctx, params.metadataId, body)),
  route(api.deleteHttpSynapse, async (ctx, { params: { connectorMetaDefinitionId: id } }) => {
    await synapses.remove(ctx, id);
    return { id };
  }),
];

function entityRoutes(deps: Deps, synapses: SynapsesService): Route[] {
  const entities = synapseEntitiesService(deps, synapses);
  return [
    route(entitiesApi.listSynapseEntities, ({ instanceId }, { params, query }) =>
      entities.list({ instanceId, synapseId: params.metadataId }, query.version),
    ),
    route(entitiesApi.getSynapseEntity, ({ instanceId }, { params, query }) =>
      entities.get({ instanceId, synapseId: params.metadataId }, params.entityId, query.version),
    ),
    route(entitiesApi.createSynapseEntity, ({ instanceId }, { params, body }) =>
      entities.create({ instanceId, synapseId: params.metadataId }, body.config),
    ),
    route(entitiesApi.updateSynapseEntity, ({ instanceId }, { params, body }) =>
      entities.update({ instanceId, synapseId: params.metadataId }, params.entityId, body),
    ),
    route(entitiesApi.deleteSynapseEntity, ({ instanceId }, { params, query }) =>
      entities.remove({ instanceId, synapseId: params.metadataId }, params.entityId, query.revision),
    ),
    route(entitiesApi.generateSynapseEntitySchema, async (_, { body }) => entities.propose(body)),
    route(entitiesApi.listSynapsePaginationOptions, async () => ({ options: PAGINATION_OPTIONS })),
  ];
}
