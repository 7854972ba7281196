/** Realtime pipelines: wakes what reads a webhook, and runs the source side of a post for its synchronous answer. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { compileWebhookAnswer, RESPOND_TO_WEBHOOK, type WebhookAnswer } from "@accord/sync-engine/actions";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { isBypassed } from "@accord/sync-engine/graph";
import { newTrace } from "@accord/sync-engine/run";
import { AppError } from "../../../platform/http/app-error.ts";
import { NOT_DONE } from "./dry-run/dry-results.ts";
import { dryRun, NOTHING_CLAIMED } from "./dry-run/dry-run.ts";
import { schemaAt } from "./dry-run/explain-runs.ts";
import type { PipelinePlans } from "./worker/plans.ts";
import { readSingle } from "./worker/single-records.ts";
import type { EntityId, InstanceId, ServiceContext } from "./published-pipelines.ts";

/** The pipelines that read a webhook. */
export interface WebhookReaders {
  /** Whether one of them may answer its posts: then a post is kept back from cycles until it has its answer. */
  mayAnswer: boolean;
  /**
   * What the first Respond to Webhook node that a post's records reach answers; null when no realtime pipeline has one
   * on their way. Writes no records: the post itself is synced by the next cycle. What its way to the answer asks is
   * looked up, and actions whose result it waits for are performed; the cycle is given the same results again.
   */
  answer(post: number): Promise<WebhookAnswer | null>;
  /** By their ids. */
  pipelineIds: readonly Id<"entity">[];
  /** Lets these of them run now. */
  wake(pipelineIds: readonly Id<"entity">[]): Promise<void>;
}

const answersWebhook = (node: GraphNode): boolean => node.apiName === RESPOND_TO_WEBHOOK && !isBypassed(node);

export function realtimeRuns(parts: ServiceContext & { plans: Pick<PipelinePlans, "loadWatched"> }) {
  const { needs, schedule, store, deps } = parts;

  /** A pipeline just published has no places before its first cycle: its graph says what it reads. */
  async function readersOf(at: InstanceId, connectorId: string) {
    const maybe = await store.maybeReaders(at, connectorId);
    const found = await Promise.all(
      maybe.map(async (reader) => ({
        ...reader,
        version: await needs.pipelines.versionById(at, reader.pipelineId, reader.versionId),
      })),
    );
    return found.filter(
      ({ isSettled, version }) =>
        isSettled ||
        version?.graph.nodes.some(
          ({ nodeType, configuration }) => nodeType === "ENTITY_SOURCE" && configuration.connectorId === connectorId,
        ),
    );
  }

  return {
    /** Who is to learn of a post to a webhook. */
    async webhookReaders(at: InstanceId, connectorId: string): Promise<WebhookReaders> {
      const readers = await readersOf(at, connectorId);
      const answering = readers.filter(
        ({ version }) => version?.settings.realtimePipeline === true && version.graph.nodes.some(answersWebhook),
      );
      return {
        mayAnswer: answering.length > 0,
        answer: (post) => answerPost(at, connectorId, post, answering),
        pipelineIds: readers.map(({ pipelineId }) => pipelineId),
        async wake(pipelineIds) {
          await Promise.all(pipelineIds.map((pipelineId) => schedule.requestCycle(at, pipelineId)));
        },
      };
    },
  };

  async function answerPost(
    at: InstanceId,
    connectorId: string,
    post: number,
    answering: Awaited<ReturnType<typeof readersOf>>,
  ): Promise<WebhookAnswer | null> {
    for (const { pipelineId, version } of answering) {
      if (!version) continue;
      const trace = newTrace();
      const pipeline = await parts.plans.loadWatched(at, pipelineId, trace.observe);
      let answer: WebhookAnswer | null = null;
      trace.onStep(({ node, context, record, env }) => {
        if (answersWebhook(node)) answer ??= compileWebhookAnswer(node.configuration, context)(record, env);
      });
      const source = pipeline.plan.sources.find(({ place }) => place.connectorId === connectorId);
      if (!source) continue;
      const connections = new Map<string, Promise<Connection>>();
      const connect = (id: string): Promise<Connection> => {
        const connection = connections.get(id) ?? needs.connectors.openConnection(at, id, { isAnswering: true });
        connections.set(id, connection);
        return connection;
      };
      const entity = schemaAt(pipeline, source.place.id);
      const fields = [...source.place.readFields];
      const asking = { instanceId: at, pipelineId, versionNumber: version.number, connect };
      const start = { nodeId: source.nodeId, cursor: post - 1, isComplete: true, since: null, due: true, replay: [] };
      try {
        await dryRun(
          pipeline,
          { cycleId: "", epoch: 0, sources: [start], resync: null, failures: {} },
          {
            read: async () => {
              const connection = await connect(connectorId);
              const page = await connection.read({ entity, fields, cursor: post - 1, mode: "changes", pageSize: 1 });
              return { ...page, drained: true };
            },
            getById: async ({ ids }) => readSingle(await connect(connectorId), { entity, fields, ids }),
            claim: async () => NOTHING_CLAIMED,
            // The rest of its way is for the cycle: nobody waits for that any more.
            answer: async ({ dataRequests }) =>
              answer === null ? needs.answers.answer(asking, dataRequests) : dataRequests.map(() => NOT_DONE),
          },
          { deps },
        );
      } finally {
        for (const connection of connections.values())
          await connection.then((open) => open.close()).catch(() => undefined);
      }
      if (answer) return answer;
    }
    return null;
  }
}

/** Realtime pipelines can't be paused, resumed or resynced. */
export async function refuseRealtime(
  { needs }: Pick<ServiceContext, "needs">,
  at: Id<"instance">,
  entityId: EntityId,
): Promise<void> {
  const version = await needs.pipelines.publishedVersion(at, entityId);
  if (version?.settings.realtimePipeline) throw new AppError("invalid_state", { reason: syncRefusals.isRealtime });
}
