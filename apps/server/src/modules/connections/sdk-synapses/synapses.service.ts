/** Use cases of uploaded synapses up to their submission: upload, drafts, trying out, sharing, deleting. */
import type { AnyEndpoint, Id, ParsedInput } from "@accord/contracts";
import { ConnectorError } from "@accord/connector-sdk";
import { UPLOADED_TYPE } from "@accord/connectors";
import type * as sharing from "@accord/contracts/connections/sdk-synapse-sharing";
import type * as api from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, SdkSynapseStatus, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { Download } from "../../../platform/http/download.ts";
import { uniqueName } from "../../../platform/http/unique-name.ts";
import type { Sandbox } from "../../../platform/sandbox/sandbox.ts";
import type { InstancesService } from "../../identity/instances/index.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { readCode, type CodeFiles } from "./archive.ts";
import { describeProgram } from "./run-program.ts";
import * as store from "./synapses.store.ts";
import { checkedFiles, contentHash, type UploadedFiles } from "./uploaded-files.ts";
import * as versions from "./versions.store.ts";
import { shownVersion, synapseView, type Versions, versionsOf, versionView } from "./views.ts";

type SynapseId = Id<"sdkSynapse">;
type At = Pick<Ctx, "instanceId">;
type DraftFile = ParsedInput<typeof api.getSdkSynapseDraftFile>["params"]["file"];
type Body<E extends AnyEndpoint> = ParsedInput<E>["body"];

export interface SynapsesNeeds {
  sandbox: Sandbox;
  audit: AuditLog;
  instances: Pick<InstancesService, "list">;
}

const target = ({ id, name }: { id: string; name: string }) => ({ kind: "sdkSynapse", id, name });
export const refuse = (reason: string): AppError => new AppError("invalid_state", { reason });

export function synapsesService(deps: Deps, { sandbox, audit, instances }: SynapsesNeeds) {
  const { appDb, clock, newId } = deps;

  const own = async (at: Id<"instance">, id: string): Promise<store.SynapseRow> => {
    const row = await store.findOwn(appDb, at, id);
    if (!row) throw new AppError("not_found", { what: "Synapse" });
    return row;
  };
  const current = async (owned: versions.Owned): Promise<Versions> =>
    versionsOf(await versions.readCurrent(appDb, [owned]));
  const views = async ({ instanceId }: At, rows: readonly store.SynapseRow[]): Promise<SdkSynapse[]> => {
    const all = await versions.readCurrent(appDb, rows);
    const listed = rows.map((row) => ({ row, versions: versionsOf(all.filter((one) => one.synapse_id === row.id)) }));
    const shown = listed.flatMap((one) => shownVersion(one.row, one.versions, instanceId) ?? []);
    const icons = await versions.readIcons(appDb, shown);
    const typeOf = ({ id }: store.SynapseRow): string => `${UPLOADED_TYPE}${id}`;
    const counts = await store.countConnections(appDb, instanceId, rows.map(typeOf));
    return listed.map(({ row, versions: known }) => {
      const facts = { versions: known, icon: icons.get(row.id), connectionCount: counts.get(typeOf(row)) ?? 0 };
      return synapseView(row, facts, instanceId);
    });
  };
  const view = async (at: At, id: string): Promise<SdkSynapse> => {
    const row = await store.findVisible(appDb, at.instanceId, id);
    const [synapse] = row ? await views(at, [row]) : [];
    if (!synapse) throw new AppError("not_found", { what: "Synapse" });
    return synapse;
  };
  const draftView = async (owned: versions.Owned): Promise<{ draft: SdkSynapseVersion | null }> => {
    const { draft } = await current(owned);
    return { draft: draft && versionView(draft) };
  };
  const status = async (row: store.SynapseRow, isOwn = true): Promise<SdkSynapseStatus> => {
    const { draft, published } = await current(row);
    return {
      approvalStatus: ((isOwn ? draft : null) ?? published)?.approval_status ?? "NEW",
      deploymentStatus: row.deployment_status,
      message: isOwn ? row.deployment_message : null,
      sandbox: await sandbox.availability(),
    };
  };
  /** Files of a version as they were uploaded. Throws where they are not those of its hash any more. */
  const codeOf = async (row: versions.VersionRow): Promise<CodeFiles> => {
    const files = await versions.readFilesOf(appDb, row);
    if (!files || contentHash(files) !== row.content_hash)
      throw new ConnectorError("configuration", "The stored code is not the code that was uploaded.", {
        neverSent: true,
      });
    return readCode(files.code_name, files.code);
  };
  /** What the code says of itself, read in the sandbox unless that was done already. */
  const describe = async (row: versions.VersionRow, signal?: AbortSignal) => {
    if (row.description) return row.description;
    const start = { instanceId: row.instance_id, isTest: true, signal };
    const description = await describeProgram(sandbox, await codeOf(row), start);
    await versions.saveDescription(appDb, row, description);
    return description;
  };
  /** Instances that the caller may work in. */
  const reachable = async (ctx: Ctx): Promise<Set<string>> =>
    new Set((await instances.list(ctx, "")).map(({ accordId }) => accordId));
  const sharedWith = async (ctx: Ctx, id: SynapseId, mine: ReadonlySet<string>) => {
    const { scope, is_global: isGlobal, version } = await own(ctx.instanceId, id);
    const instanceIds = (await store.readShares(appDb, ctx.instanceId, id)).filter((one) => mine.has(one));
    return { scope, isGlobal, instanceIds, version };
  };

  return {
    own,
    current,
    codeOf,
    describe,
    status,
    view,
    get: (ctx: At, id: string) => view(ctx, id),

    async list(at: At): Promise<{ synapses: SdkSynapse[] }> {
      return { synapses: await views(at, await store.readVisible(appDb, at.instanceId)) };
    },

    async getStatus({ instanceId }: At, id: string): Promise<SdkSynapseStatus> {
      const row = await store.findVisible(appDb, instanceId, id);
      if (!row) throw new AppError("not_found", { what: "Synapse" });
      return status(row, row.instance_id === instanceId);
    },

    async create(ctx: Ctx, body: Body<typeof api.createSdkSynapse>): Promise<SdkSynapse> {
      const { instanceId, actor } = ctx;
      const files = checkedFiles(body, null);
      const id = newId<"sdkSynapse">();
      const now = clock.now();
      const made = {
        ...{ instance_id: instanceId, id, name: body.connectorMetaName, now },
        ...{ display_name: body.connectorMetaDisplayName, publish_to_global: body.publishToGlobal },
      };
      await uniqueName(made.name, () =>
        appDb.transaction().execute(async (tx) => {
          await store.insertSynapse(tx, made);
          await versions.insertVersion(tx, {
            ...files,
            ...{ instance_id: instanceId, synapse_id: id, uploaded_by: actor.userId, description: null, now },
            authors: [actor.userId],
          });
        }),
      );
      await audit.record(ctx, "createSdkSynapse", target(made), { contentHash: files.content_hash });
      return view(ctx, id);
    },

    async updateDraft(
      ctx: Ctx,
      id: SynapseId,
      { contentHash: seen, ...uploaded }: UploadedFiles & { contentHash: string },
    ) {
      const row = await own(ctx.instanceId, id);
      const { draft } = await current(row);
      if (!draft) throw refuse("It has no draft: create one first.");
      if (draft.approval_status !== "NEW") throw refuse("It is submitted: withdraw it first.");
      const files = checkedFiles(uploaded, await versions.readFilesOf(appDb, draft));
      const change = { ...files, uploaded_by: ctx.actor.userId, now: clock.now() };
      if (!(await versions.replaceFiles(appDb, { ...draft, seen }, change))) throw new AppError("stale_version");
      await audit.record(ctx, "updateSdkSynapseDraft", target(row), { contentHash: files.content_hash });
      const { draft: changed } = await draftView(row);
      if (!changed) throw new AppError("stale_version");
      return changed;
    },

    async getDraft({ instanceId, actor }: Pick<Ctx, "instanceId" | "actor">, id: SynapseId) {
      const { draft } = await current(await own(instanceId, id));
      return {
        draft: draft && versionView(draft),
        files: draft ? await versions.readFileFacts(appDb, draft) : [],
        isAuthor: draft?.authors.includes(actor.userId) ?? false,
      };
    },

    /** Exactly the bytes that an approval would be of. */
    async draftFile({ instanceId }: At, id: SynapseId, wanted: DraftFile, seen?: string): Promise<Download> {
      const { draft } = await current(await own(instanceId, id));
      const files = draft && (await versions.readFilesOf(appDb, draft));
      if (!files) throw new AppError("not_found", { what: "Draft" });
      if (contentHash(files) !== (seen ?? draft.content_hash)) throw new AppError("stale_version");
      const [fileName, content] = {
        synapseFile: [files.code_name, files.code] as const,
        requirementsFile: ["package.json", files.requirements] as const,
        iconFile: ["icon", files.icon] as const,
      }[wanted];
      if (!content) throw new AppError("not_found", { what: "File" });
      return new Download({ fileName, contentType: "application/octet-stream", content });
    },

    async createDraft(ctx: Ctx, id: SynapseId) {
      const row = await own(ctx.instanceId, id);
      await appDb.transaction().execute(async (tx) => {
        await store.lockOwn(tx, ctx.instanceId, id);
        const { draft, published } = versionsOf(await versions.readCurrent(tx, [row]));
        if (draft) throw refuse("It has a draft already.");
        const files = published && (await versions.readFilesOf(tx, published));
        if (!published || !files) throw refuse("Nothing of it is published.");
        await versions.insertVersion(tx, {
          ...files,
          ...{ instance_id: ctx.instanceId, synapse_id: id, uploaded_by: ctx.actor.userId, now: clock.now() },
          authors: [...new Set([...published.authors, ctx.actor.userId])],
          ...{ content_hash: published.content_hash, description: published.description },
        });
      });
      await audit.record(ctx, "createSdkSynapseDraft", target(row));
      return draftView(row);
    },

    async discardDraft(ctx: Ctx, id: SynapseId) {
      const row = await own(ctx.instanceId, id);
      await appDb.transaction().execute(async (tx) => {
        await store.lockOwn(tx, ctx.instanceId, id);
        const { draft, published } = versionsOf(await versions.readCurrent(tx, [row]));
        if (!draft) throw refuse("It has no draft.");
        if (!published) throw refuse("Nothing else of it is there: delete it instead.");
        if (!(await versions.deleteDraft(tx, row))) throw refuse("It is submitted: withdraw it first.");
      });
      await audit.record(ctx, "discardSdkSynapseDraft", target(row));
      return draftView(row);
    },

    async save(ctx: Ctx, id: SynapseId, body: Body<typeof api.saveSdkSynapse>): Promise<SdkSynapse> {
      const row = await own(ctx.instanceId, id);
      const { version, connectorMetaDisplayName: displayName, publishToGlobal } = body;
      await appDb.transaction().execute(async (tx) => {
        const before = await store.lockOwn(tx, ctx.instanceId, id);
        const { draft } = versionsOf(await versions.readCurrent(tx, [row]));
        // An approver looks at what is submitted: it asks for no more than it did then.
        if (publishToGlobal && !before?.publish_to_global && draft && draft.approval_status !== "NEW")
          throw refuse("It is submitted: withdraw it first to have it published globally.");
        if (!(await store.updateSynapse(tx, ctx.instanceId, id, { version, displayName, publishToGlobal })))
          throw new AppError("stale_version", { version: row.version });
      });
      await audit.record(ctx, "saveSdkSynapse", target(row), { displayName, publishToGlobal });
      return view(ctx, id);
    },

    async remove(ctx: Ctx, id: SynapseId): Promise<void> {
      const row = await own(ctx.instanceId, id);
      await appDb.transaction().execute(async (tx) => {
        // Whoever connects it meanwhile waits, and finds it gone; whoever was first is one of its uses.
        await store.lockOwn(tx, ctx.instanceId, id);
        const uses = await store.readUses(tx, `${UPLOADED_TYPE}${id}`);
        if (uses.length > 0) {
          // Of other instances only that there are some.
          const here = uses
            .filter(({ instance_id: at }) => at === ctx.instanceId)
            .map(({ id: use, name }) => ({ id: use, name }));
          throw new AppError("in_use", { what: row.display_name, uses: here, elsewhere: uses.length > here.length });
        }
        await store.deleteSynapse(tx, ctx.instanceId, id);
      });
      await audit.record(ctx, "deleteSdkSynapse", target(row));
    },

    async shares(ctx: Ctx, id: SynapseId) {
      return sharedWith(ctx, id, await reachable(ctx));
    },

    /** Exactly these of the instances that the caller may work in; what others shared it with stays. */
    async share(ctx: Ctx, id: SynapseId, { version, scope, instanceIds }: Body<typeof sharing.shareSdkSynapse>) {
      const row = await own(ctx.instanceId, id);
      const mine = await reachable(ctx);
      const wanted = [...new Set(instanceIds)].filter((one) => one !== ctx.instanceId);
      if (wanted.some((one) => !mine.has(one))) throw new AppError("not_found", { what: "Instance" });
      await appDb.transaction().execute(async (tx) => {
        const before = await store.lockOwn(tx, ctx.instanceId, id);
        // Whoever chose did not see what others shared it with since.
        if (before?.version !== version) throw new AppError("stale_version");
        const others = (await store.readShares(tx, ctx.instanceId, id)).filter((one) => !mine.has(one));
        await store.replaceShares(tx, ctx.instanceId, id, { scope, instanceIds: [...others, ...wanted] });
      });
      await audit.record(ctx, "shareSdkSynapse", target(row), { scope, instanceIds: wanted });
      return sharedWith(ctx, id, mine);
    },
  };
}

export type SynapsesService = ReturnType<typeof synapsesService>;
