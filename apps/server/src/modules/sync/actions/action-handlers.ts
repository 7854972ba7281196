/** Performs one action: says how it ended, whether that is certain, and whether another try may help. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";
import { type Connection, ConnectorError, type WriteOperation } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { ActionPayload } from "@accord/sync-engine/actions";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { ConnectorsService, CredentialMask } from "../../connections/connectors/index.ts";
import { LeaseEndedError, type SendPermit } from "../../../platform/lease-deadline.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import type { ActionRun } from "./action-runs.store.ts";
import { type Attempt, refused, succeeded } from "./attempt.ts";
import { type CoreWork, coreWriter, type CoreWriterDependencies } from "./core-writes.ts";
import type { CustomRequests } from "./custom-actions/custom-requests.ts";
import { callHttp } from "./http-call.ts";
import { mailIdOf } from "./mail-id.ts";
import type { ServiceProviders } from "./providers/providers.ts";

/**
 * `others`: runs of the same batch action, done by the same request. `permit`: leave for each request. Throws
 * `LeaseEndedError` instead of sending once that is gone.
 */
export type ActionHandler = (run: ActionRun, others?: readonly ActionRun[], permit?: SendPermit) => Promise<Attempt>;

export interface ActionHandlerDependencies extends CoreWriterDependencies {
  connectors: Pick<ConnectorsService, "entitySchema" | "openConnection">;
  organisationOf(at: Id<"instance">): Promise<Id<"organisation"> | null>;
  custom: CustomRequests;
  notify: NotificationsService["notify"];
  services: Pick<ServiceProviders, "post">;
  /** Of a pipeline's entity. */
  hasSecretFields(instanceId: Id<"instance">, pipelineId: string): Promise<boolean>;
}

type PerformDeps = Pick<Deps, "outbound" | "mail" | "dataPool" | "clock">;
type Kind = ActionPayload["kind"];
type Of<K extends Kind> = Extract<ActionPayload, { kind: K }>;

export function actionHandlers(deps: PerformDeps, needs: ActionHandlerDependencies): ActionHandler {
  const core = coreWriter(deps, needs);
  return async (run, others = [], permit) => {
    try {
      permit?.assertMaySend();
      return await perform(run, others, permit);
    } catch (error) {
      // Says nothing about the action: whoever may perform it now will.
      if (error instanceof LeaseEndedError) throw error;
      return brokenOff(error);
    }
  };

  function perform(run: ActionRun, others: readonly ActionRun[], permit?: SendPermit): Promise<Attempt> {
    const { work } = run;
    switch (work.kind) {
      case "email":
        return sendMail(run, work);
      case "http":
        return callHttp(deps.outbound, work, run.id, permit);
      case "custom":
        return callCustom(run, work, others, permit);
      case "createExternal":
      case "updateExternal":
      case "deleteExternal":
        return writeExternal(run, work, permit);
      case "createCore":
      case "updateCore":
      case "deleteCore":
        return core.write(run, work satisfies CoreWork);
      case "notify":
        return notify(run, work);
      case "chat": {
        const { service, text, channel } = work;
        return needs.services.post(run.instanceId, service, { text, channel }, run.id, permit);
      }
      case "log":
        // What was written down of the action is the log's entry.
        return Promise.resolve(succeeded({ level: work.level, text: work.text }));
    }
  }

  /** Every recipient gets a mail of their own, made once for the action. */
  async function sendMail(run: ActionRun, work: Of<"email">): Promise<Attempt> {
    const organisationId = await needs.organisationOf(run.instanceId);
    if (!organisationId) return refused("instance_unknown", actionFailures.instanceGone);
    const isHidden = await needs.hasSecretFields(run.instanceId, run.pipelineId);
    for (const [index, to] of work.to.entries()) {
      await deps.mail.send({
        id: mailIdOf(run.id, index),
        to,
        subject: work.subject,
        text: work.format === "text" ? work.body : textOfHtml(work.body),
        ...(work.format === "html" ? { html: work.body } : {}),
        kind: "pipelineAction",
        isHidden,
        organisationId,
        instanceId: run.instanceId,
      });
    }
    return succeeded({ recipients: work.to.length });
  }

  async function callCustom(
    run: ActionRun,
    work: Of<"custom">,
    others: readonly ActionRun[],
    permit?: SendPermit,
  ): Promise<Attempt> {
    const records = [work, ...others.map((other) => other.work)].flatMap((one) =>
      one.kind === "custom" ? [one.variables] : [],
    );
    const prepared = await needs.custom.requestFor(run.instanceId, work.actionId, records);
    if ("refusal" in prepared) return prepared.refusal;
    const attempt = await callHttp(deps.outbound, prepared.request, run.id, permit);
    return { ...attempt, outcome: maskedOutcome(attempt.outcome, prepared.mask) };
  }

  async function writeExternal(
    run: ActionRun,
    work: Of<"createExternal" | "updateExternal" | "deleteExternal">,
    permit?: SendPermit,
  ) {
    const facts = await needs.connectors.entitySchema(run.instanceId, work.connectorId, work.entity);
    if (!facts) return refused("place_unknown", fill(actionFailures.entityGone, { entity: work.entity }));
    const connection = await needs.connectors.openConnection(run.instanceId, work.connectorId, permit);
    try {
      return await writeOne(connection, facts.schema, operationOf(run, work), permit);
    } finally {
      await connection.close();
    }
  }

  async function notify(run: ActionRun, work: Of<"notify">): Promise<Attempt> {
    const { roles, text: message, severity } = work;
    const { instanceId, pipelineId, recordId } = run;
    const link = recordId ? recordLink(pipelineId, recordId) : pipelineLink(pipelineId);
    await needs.notify({ instanceId, subject: `action ${run.id}`, severity, message, link, roles });
    return succeeded();
  }
}

const maskedOutcome = (
  { message, body, ...outcome }: Attempt["outcome"],
  mask: CredentialMask,
): Attempt["outcome"] => ({
  ...outcome,
  message: message && mask.text(message),
  body: mask.value(body),
});

/** Addresses of screens. */
const recordLink = (entityId: string, recordId: string): string => `/data-studio/entity/${entityId}/record/${recordId}`;
const pipelineLink = (entityId: string): string => `/sync-studio/entity/${entityId}/pipeline/published`;

function operationOf(run: ActionRun, work: Of<"createExternal" | "updateExternal" | "deleteExternal">): WriteOperation {
  switch (work.kind) {
    case "createExternal":
      return { kind: "create", idempotencyKey: run.id, values: work.values };
    case "updateExternal":
      return { kind: "update", id: work.externalId, values: work.values, idempotencyKey: run.id };
    case "deleteExternal":
      return { kind: "delete", id: work.externalId, idempotencyKey: run.id };
  }
}

async function writeOne(
  connection: Connection,
  entity: Parameters<NonNullable<Connection["write"]>>[0]["entity"],
  operation: WriteOperation,
  permit: SendPermit | undefined,
): Promise<Attempt> {
  if (!connection.write) return refused("read_only", `${entity.displayName} can't be written.`);
  const [outcome] = await connection.write({ entity, operations: [operation], ...permit });
  switch (outcome?.status) {
    case "done":
      return succeeded({ id: outcome.id });
    case "missing":
      return operation.kind === "delete"
        ? succeeded({ id: null })
        : refused("record_missing", actionFailures.noSuchRecord);
    case "rejected":
      return refused(outcome.code, outcome.message);
    case "conflict":
      return refused("record_changed", actionFailures.recordChanged);
    case "retry":
      return { ...refused("unavailable", outcome.message), isTransient: true };
    case "unknown":
    case undefined:
      return { ...refused("outcome_unknown", outcome?.message ?? actionFailures.noAnswer), isOutcomeKnown: false };
  }
}

function brokenOff(error: unknown): Attempt {
  if (error instanceof ConnectorError) {
    const attempt = refused(error.kind, error.message);
    const isOutcomeKnown = error.neverSent || error.kind === "rateLimited" || error.kind === "unreachable";
    const after = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs };
    return { ...attempt, isOutcomeKnown, isTransient: error.retryable, ...after };
  }
  if (error instanceof AppError) {
    return refused(error.code, String(error.facts["reason"] ?? error.facts["what"] ?? error.code));
  }
  throw error;
}

const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<(br|\/p|\/div|\/li)[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .trim();
