/** Submission, approval and deployment of uploaded synapses: what runs for connections is exactly what somebody else approved. */
import { isDeepStrictEqual } from "node:util";
import { DESCRIPTION_MEMBER, UPLOADED_TYPE } from "@accord/connectors";
import { id, type Id } from "@accord/contracts";
import type { SdkSynapseStatus } from "@accord/contracts/connections/sdk-synapse-shapes";
import { z } from "zod";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { defineJob } from "../../../platform/jobs/jobs.ts";
import type { Sandbox } from "../../../platform/sandbox/sandbox.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { describeProgram } from "./run-program.ts";
import { refuse, type SynapsesService } from "./synapses.service.ts";
import * as store from "./synapses.store.ts";
import * as versions from "./versions.store.ts";
import type { Versions } from "./views.ts";

type SynapseId = Id<"sdkSynapse">;

/** A synapse with the versions that a decision is on. */
interface Loaded extends Versions {
  row: store.SynapseRow;
}

/** What an approver looked at, and approves. */
interface Seen {
  contentHash: string;
  publishToGlobal: boolean;
}

export const deploySynapseJob = defineJob({
  name: "connections.deploySdkSynapse",
  data: z.strictObject({ instanceId: id("instance"), synapseId: id("sdkSynapse") }),
  retries: 2,
});

export function approvalService(
  deps: Deps,
  { synapses, sandbox, audit }: { synapses: SynapsesService; sandbox: Sandbox; audit: AuditLog },
) {
  const { appDb, clock, jobs, log } = deps;
  const { own, current, status } = synapses;
  const load = async (ctx: Ctx, id: SynapseId): Promise<Loaded> => {
    const row = await own(ctx.instanceId, id);
    return { row, ...(await current(row)) };
  };

  /**
   * Moves the draft that was looked at from one state to the next. Throws where it is in another one, or has other
   * files by now.
   */
  const move = async (
    ctx: Ctx,
    { row, draft, published }: Loaded,
    step: { action: string; refusal: string } & Pick<versions.StatusChange, "from" | "to" | "returned">,
  ): Promise<SdkSynapseStatus> => {
    const { id } = row;
    const { action, refusal, ...states } = step;
    if (draft?.approval_status !== step.from) throw refuse(refusal);
    const change = { ...states, by: ctx.actor.userId, now: clock.now() };
    if (!(await versions.changeStatus(appDb, draft, change))) throw new AppError("stale_version");
    // A deployment that failed was of the submission that is over now.
    if (row.deployment_status === "ERROR")
      await store.setDeployment(appDb, ctx.instanceId, id, published ? "ACTIVE" : null, null);
    await audit.record(
      ctx,
      action,
      { kind: "sdkSynapse", id, name: row.name },
      { contentHash: draft.content_hash, ...(step.returned?.reason && { reason: step.returned.reason }) },
    );
    return status(await own(ctx.instanceId, id));
  };

  /** Publishes one version: connections run it from now on. */
  const publish = async (draft: versions.VersionRow): Promise<void> => {
    const { instance_id: at, synapse_id: id, description } = draft;
    await appDb.transaction().execute(async (tx) => {
      await store.lockOwn(tx, at, id);
      await versions.archivePublished(tx, { instance_id: at, id });
      const change = { from: "APPROVAL_IN_PROGRESS", to: "APPROVED", by: null, now: clock.now() } as const;
      if (!(await versions.changeStatus(tx, draft, change))) throw new AppError("stale_version");
      await store.setDeployment(tx, at, id, "ACTIVE", null);
      await store.makeGlobal(tx, at, id, draft.approved_global === true);
      await store.describeConnections(tx, `${UPLOADED_TYPE}${id}`, DESCRIPTION_MEMBER, description);
    });
  };

  return {
    async submit(ctx: Ctx, id: SynapseId, seen: { contentHash: string }): Promise<SdkSynapseStatus> {
      const loaded = await load(ctx, id);
      const { draft } = loaded;
      if (draft?.approval_status === "NEW" && draft.content_hash !== seen.contentHash)
        throw new AppError("stale_version");
      // An approver reads what the code says of itself: it has to be known by then.
      if (draft?.approval_status === "NEW" && !draft.description)
        await synapses.describe(draft).catch((error: unknown) => {
          throw refuse(`Its code could not be read: ${error instanceof Error ? error.message : "unknown"}`);
        });
      return move(ctx, loaded, {
        ...{ action: "submitSdkSynapse", from: "NEW", to: "SUBMIT_FOR_APPROVAL" },
        refusal: "There is no draft that is not submitted yet.",
      });
    },

    withdraw: async (ctx: Ctx, id: SynapseId): Promise<SdkSynapseStatus> =>
      move(ctx, await load(ctx, id), {
        ...{ action: "withdrawSdkSynapse", from: "SUBMIT_FOR_APPROVAL", to: "NEW" },
        returned: { how: "WITHDRAWN", reason: null },
        refusal: "It is not submitted, or already approved.",
      }),

    /** Back to its author, who reads why. */
    async refuse(ctx: Ctx, id: SynapseId, seen: { contentHash: string; reason: string }): Promise<SdkSynapseStatus> {
      const loaded = await load(ctx, id);
      const { draft } = loaded;
      if (draft && draft.content_hash !== seen.contentHash) throw new AppError("stale_version");
      if (draft?.authors.includes(ctx.actor.userId))
        throw refuse("Whoever uploaded or submitted the code can't refuse it: withdraw it instead.");
      return move(ctx, loaded, {
        ...{ action: "refuseSdkSynapse", from: "SUBMIT_FOR_APPROVAL", to: "NEW" },
        returned: { how: "REFUSED", reason: seen.reason },
        refusal: "It is not submitted, or already approved.",
      });
    },

    async approve(ctx: Ctx, id: SynapseId, seen: Seen): Promise<SdkSynapseStatus> {
      const row = await own(ctx.instanceId, id);
      const { draft } = await current(row);
      if (draft?.approval_status !== "SUBMIT_FOR_APPROVAL") throw refuse("It is not submitted for approval.");
      const { contentHash, publishToGlobal } = seen;
      if (draft.content_hash !== contentHash) throw new AppError("stale_version");
      if (draft.authors.includes(ctx.actor.userId))
        throw refuse("Whoever uploaded or submitted the code can't approve it: ask another approver.");
      await appDb.transaction().execute(async (tx) => {
        const synapse = await store.lockOwn(tx, ctx.instanceId, id);
        if (synapse?.publish_to_global !== publishToGlobal) throw new AppError("stale_version");
        const change = {
          ...({ from: "SUBMIT_FOR_APPROVAL", to: "APPROVAL_IN_PROGRESS" } as const),
          ...{ by: ctx.actor.userId, now: clock.now(), isGlobal: publishToGlobal },
        };
        if (!(await versions.changeStatus(tx, draft, change))) throw new AppError("stale_version");
        await store.setDeployment(tx, ctx.instanceId, id, "DEPLOY_IN_PROGRESS", null);
      });
      await audit.record(ctx, "approveSdkSynapse", { kind: "sdkSynapse", id, name: row.name }, seen);
      const answer = await status(await own(ctx.instanceId, id));
      await jobs.send(deploySynapseJob, { instanceId: ctx.instanceId, synapseId: id });
      return answer;
    },

    /** Runs the approved code once more, and publishes it where it is what was approved. */
    async deploy({ instanceId, synapseId }: z.output<typeof deploySynapseJob.data>): Promise<void> {
      const row = await store.findOwn(appDb, instanceId, synapseId);
      const { draft } = await current({ instance_id: instanceId, id: synapseId });
      if (!row || draft?.approval_status !== "APPROVAL_IN_PROGRESS") return;
      try {
        if (draft.content_hash !== draft.approved_hash) throw new Error("The code is not the code that was approved.");
        const description = await describeProgram(sandbox, await synapses.codeOf(draft), { instanceId });
        if (!isDeepStrictEqual(JSON.parse(JSON.stringify(description)), draft.description))
          throw new Error("The code describes itself in another way than when it was submitted.");
        await publish(draft);
      } catch (error) {
        log.warn({ synapseId, err: error }, "deploying an uploaded synapse failed");
        const message = error instanceof Error ? error.message : "It could not be deployed.";
        const change = { from: "APPROVAL_IN_PROGRESS", to: "SUBMIT_FOR_APPROVAL", by: null, now: clock.now() } as const;
        await versions.changeStatus(appDb, draft, change);
        await store.setDeployment(appDb, instanceId, synapseId, "ERROR", message);
      }
    },

    /** Deployments that a server began and never finished. */
    async resume(): Promise<void> {
      for (const { instance_id: instanceId, synapse_id: synapseId } of await versions.readUnfinished(appDb))
        await jobs.send(deploySynapseJob, { instanceId, synapseId });
    },
  };
}
