/** What a statement rule checks: the places it stands in, and the statements that must name their instance. */
import type { Id } from "@accord/contracts";
import type { Place, TestApp } from "./test-app.ts";

interface World {
  t: TestApp;
  own: Place;
  /** The instance that statements name instead. */
  other: Id<"instance">;
  now: string;
  /** @throws Error when it changed anything of `own`. */
  unchanged(work: () => Promise<unknown>): Promise<void>;
}

export const places = new WeakMap<TestApp, Promise<readonly [Id<"instance">, Id<"instance">]>>();

export interface StatementCheck {
  name: string;
  /** @throws Error when a statement that names the other instance finds or changes something. */
  check(world: World): Promise<void>;
}

/** The same pipeline published in both instances, due in an hour. */
export async function publishedTwice({ t, own, other }: World): Promise<Id<"entity">> {
  const pipelineId = t.deps.newId<"entity">();
  const resync = JSON.stringify({ resyncId: "r", status: "RUNNING", cursors: {} });
  for (const instanceId of [other, own.instanceId])
    await t.deps.dataPool.query(
      `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number, due_at, epoch, resync)
       VALUES ($1, $2, $3, 1, now() + interval '1 hour', 7, $4)`,
      [instanceId, pipelineId, t.deps.newId(), resync],
    );
  return pipelineId;
}

export const insertLook = (t: TestApp, instanceId: string, pipelineId: string, dueAt: string, endedAt: string | null) =>
  t.deps.dataPool.query(
    `INSERT INTO sync_look (instance_id, pipeline_id, place, due_at, ended_at) VALUES ($1, $2, 1, $3, $4)`,
    [instanceId, pipelineId, dueAt, endedAt],
  );
