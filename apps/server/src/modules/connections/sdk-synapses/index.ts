/** Uploaded synapses: the module, and what connections need of them. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import * as template from "@accord/contracts/connections/sdk-synapse-template";
import * as sharing from "@accord/contracts/connections/sdk-synapse-sharing";
import * as api from "@accord/contracts/connections/sdk-synapses";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import { makeSandbox } from "../../../platform/sandbox/sandbox.ts";
import type { InstancesService } from "../../identity/instances/index.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import type { UploadedSynapses } from "../connectors/index.ts";
import { approvalService, deploySynapseJob } from "./approval.service.ts";
import { PROVIDED } from "./requirements.ts";
import { startProgram } from "./run-program.ts";
import * as store from "./synapses.store.ts";
import { synapsesService } from "./synapses.service.ts";
import { readTemplate, templateArchive } from "./template.ts";
import { describeSynapse, tryOut } from "./try-out.ts";
import { FILE_LIMITS } from "./uploaded-files.ts";
import * as versions from "./versions.store.ts";
import { iconUri, versionsOf } from "./views.ts";

export function sdkSynapsesModule(
  deps: Deps,
  { audit, instances }: { audit: AuditLog; instances: InstancesService },
): Module & { service: UploadedSynapses } {
  const sandbox = makeSandbox(deps.clock);
  const synapses = synapsesService(deps, { sandbox, audit, instances });
  const approval = approvalService(deps, { synapses, sandbox, audit });
  const published = async (at: Id<"instance">, id: string) => {
    const row = await store.findVisible(deps.appDb, at, id);
    return row && versionsOf(await versions.readCurrent(deps.appDb, [row])).published;
  };
  const service: UploadedSynapses = {
    async list(at) {
      const rows = await store.readVisible(deps.appDb, at);
      const all = await versions.readCurrent(deps.appDb, rows);
      const approved = all.filter(({ approval_status: status }) => status === "APPROVED");
      const icons = await versions.readIcons(deps.appDb, approved);
      // In the order of the synapses, which stays.
      return rows.flatMap(({ id }) => {
        const description = versionsOf(approved.filter((one) => one.synapse_id === id)).published?.description;
        return description ? [{ id, description, icon: iconUri(icons.get(id)) }] : [];
      });
    },
    hold: store.holdToConnect,
    find: async (at, id) => (await published(at, id))?.description ?? null,
    async open(at, id, start) {
      const version = await published(at, id);
      if (!version || version.content_hash !== version.approved_hash)
        throw new ConnectorError(
          "configuration",
          "The synapse is not approved, or not shared with this instance any more.",
          {
            neverSent: true,
            hint: "Ask its author to share it again.",
          },
        );
      return startProgram(sandbox, await synapses.codeOf(version), { ...start, instanceId: at });
    },
  };
  return {
    name: "connections/sdk-synapses",
    service,
    routes: [
      route(template.getSdkPackageIndex, async () => ({
        ...{ packages: [...PROVIDED], isInstalling: false, limits: FILE_LIMITS },
        sandbox: await sandbox.availability(),
      })),
      // Before those with an id in the same place.
      route(template.getSdkSynapseTemplate, () => Promise.resolve(readTemplate())),
      route(template.downloadSdkSynapseTemplate, () => Promise.resolve(templateArchive())),
      route(api.listSdkSynapses, (ctx) => synapses.list(ctx)),
      route(api.createSdkSynapse, (ctx, { body }) => synapses.create(ctx, body)),
      route(api.getSdkSynapse, (ctx, { params }) => synapses.get(ctx, params.connectorMetaDefinitionId)),
      route(api.deleteSdkSynapse, async (ctx, { params }) => {
        await synapses.remove(ctx, params.connectorMetaDefinitionId);
        return {};
      }),
      route(api.saveSdkSynapse, (ctx, { params, body }) => synapses.save(ctx, params.connectorMetaDefinitionId, body)),
      route(api.testSdkSynapse, ({ instanceId }, { params, body }) =>
        tryOut(deps, { synapses, sandbox }, instanceId, params.connectorMetaDefinitionId, body),
      ),
      route(api.describeSdkSynapse, ({ instanceId }, { params }) =>
        describeSynapse(deps, { synapses, sandbox }, instanceId, params.connectorMetaDefinitionId),
      ),
      route(api.getSdkSynapseStatus, (ctx, { params }) => synapses.getStatus(ctx, params.connectorMetaDefinitionId)),
      route(api.getSdkSynapseDraft, (ctx, { params }) => synapses.getDraft(ctx, params.connectorMetaDefinitionId)),
      route(api.getSdkSynapseDraftFile, (ctx, { params, query }) =>
        synapses.draftFile(ctx, params.connectorMetaDefinitionId, params.file, query.contentHash),
      ),
      route(api.updateSdkSynapseDraft, (ctx, { params, body }) =>
        synapses.updateDraft(ctx, params.connectorMetaDefinitionId, body),
      ),
      route(api.createSdkSynapseDraft, (ctx, { params }) =>
        synapses.createDraft(ctx, params.connectorMetaDefinitionId),
      ),
      route(api.discardSdkSynapseDraft, (ctx, { params }) =>
        synapses.discardDraft(ctx, params.connectorMetaDefinitionId),
      ),
      route(api.submitSdkSynapse, (ctx, { params, body }) =>
        approval.submit(ctx, params.connectorMetaDefinitionId, body),
      ),
      route(api.withdrawSdkSynapse, (ctx, { params }) => approval.withdraw(ctx, params.connectorMetaDefinitionId)),
      route(api.approveSdkSynapse, (ctx, { params, body }) =>
        approval.approve(ctx, params.connectorMetaDefinitionId, body),
      ),
      route(api.refuseSdkSynapse, (ctx, { params, body }) =>
        approval.refuse(ctx, params.connectorMetaDefinitionId, body),
      ),
      route(sharing.getSdkSynapseShare, (ctx, { params }) => synapses.shares(ctx, params.connectorMetaDefinitionId)),
      route(sharing.shareSdkSynapse, (ctx, { params, body }) =>
        synapses.share(ctx, params.connectorMetaDefinitionId, body),
      ),
    ],
    async startWorker() {
      const stop = await deps.jobs.work(deploySynapseJob, (data) => approval.deploy(data));
      await approval.resume();
      return stop;
    },
  };
}
