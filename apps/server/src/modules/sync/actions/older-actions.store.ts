/** Actions that an older version wrote down as they were called and answered: what a sealing pass does with them. */
import type { Id } from "@accord/contracts";
import type { ActionOutcome } from "@accord/sync-engine/actions";
import { MAX_BYTES, MAX_ROWS, type SealingPass } from "../../../platform/secrets/sealing-pass.store.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import { openedOutcome, openedRun, sealedOutcome, sealedWork, type StoredWork } from "./sealed-work.ts";

type Row = {
  id: string;
  instanceId: Id<"instance">;
  pipelineId: string;
  work: StoredWork;
  outcome: ActionOutcome | null;
};

/** `hasSecretFields`: of a pipeline's entity; one that is gone may have had some. */
export const olderActions = (
  secrets: Pick<Secrets, "sealValue" | "openValue">,
  hasSecretFields: (instanceId: Id<"instance">, pipelineId: string) => Promise<boolean>,
): SealingPass => ({
  what: "actions",
  parts: async () => [""],
  async seal(client, _all, after) {
    const { rows: keys } = await client.query<{ id: string }>(
      `SELECT id FROM (SELECT id, size, sum(size) OVER (ORDER BY id) AS total
         FROM (SELECT id, octet_length(work::text) + coalesce(octet_length(outcome::text), 0) AS size
           FROM sync_action WHERE id > $1 ORDER BY id LIMIT ${MAX_ROWS}) next) sized
       WHERE total - size < ${MAX_BYTES} ORDER BY id`,
      [after ?? ""],
    );
    const ids = keys.map(({ id }) => id);
    const { rows } = await client.query<Row>(
      `SELECT id, instance_id AS "instanceId", pipeline_id AS "pipelineId", work, outcome FROM sync_action
       WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
      [ids],
    );
    const known = new Map<string, boolean>();
    for (const { id, work, outcome, ...pipeline } of rows) {
      const key = `${pipeline.instanceId} ${pipeline.pipelineId}`;
      const isSecret = known.get(key) ?? (await hasSecretFields(pipeline.instanceId, pipeline.pipelineId));
      known.set(key, isSecret);
      const run = openedRun(secrets, { ...pipeline, work });
      const told = openedOutcome(secrets, pipeline.instanceId, outcome);
      const isAnswerOpen = isSecret && told !== null;
      if ("sealed" in work && !isAnswerOpen) continue;
      await client.query("UPDATE sync_action SET work = $2, outcome = $3 WHERE id = $1", [
        id,
        JSON.stringify("sealed" in work ? work : sealedWork(secrets, run.instanceId, run.work)),
        outcome && JSON.stringify(isAnswerOpen ? sealedOutcome(secrets, run, told) : outcome),
      ]);
    }
    return ids.at(-1) ?? null;
  },
});
