/** Statements about posts, what is forgotten, and reconciliations that must stay within their instance. */
import type { Id } from "@accord/contracts";
import { expect } from "vitest";
import * as drafts from "../src/modules/connections/webhooks/drafts.store.ts";
import { webhookInbox } from "../src/modules/connections/webhooks/inbox.store.ts";
import { postLog } from "../src/modules/connections/webhooks/post-log.store.ts";
import { evidenceStore } from "../src/modules/sync/reconciliation/comparison/evidence.store.ts";
import { MAX_REPORTS, reportsStore } from "../src/modules/sync/reconciliation/report/reports.store.ts";
import { retentionStore } from "../src/modules/sync/retention/retention.store.ts";
import { runsStore } from "../src/modules/sync/runs/monitoring/runs.store.ts";
import { scheduleStore, wakeSql } from "../src/modules/sync/runs/schedule/schedule.store.ts";
import { instanceSchema } from "../src/platform/db/db.ts";
import { inputFor } from "./fixtures/index.ts";
import { type StatementCheck, publishedTwice, insertLook } from "./statement-check.ts";

const NOTHING_LOGGED = { headers: [], size: 2, records: 1, replayOf: null };

export const posts: StatementCheck[] = [
  {
    name: "a post lets no pipeline run",
    async check(world) {
      const { t, own, other, unchanged } = world;
      const pool = t.deps.dataPool;
      const pipelineId = await publishedTwice(world);
      const place = { address: t.deps.newId(), instanceId: other, connectorId: t.deps.newId<"connector">() };
      const post = {
        messageId: "1",
        isBodyId: false,
        body: "{}",
        status: 200,
        holdMs: null,
        isCounted: true,
        log: NOTHING_LOGGED,
      };
      const inbox = webhookInbox(pool, t.deps.secrets, wakeSql);
      await unchanged(async () => {
        expect(await inbox.keep(place, { ...post, wakes: [pipelineId] }, 9)).toMatchObject({ woken: [pipelineId] });
      });
      await scheduleStore(pool).unpublish(other, pipelineId);
      await unchanged(async () => {
        const next = { ...post, messageId: "2", wakes: [pipelineId] };
        expect(await inbox.keep(place, next, 9)).toMatchObject({ woken: [] });
      });
      const readers = await runsStore(pool).maybeReaders(other, place.connectorId);
      expect(readers.map((reader) => reader.pipelineId)).not.toContain(pipelineId);
      await scheduleStore(pool).unpublish(own.instanceId, pipelineId);
    },
  },
];

export const retention: StatementCheck[] = [
  {
    name: "drafts of webhooks are neither found nor changed",
    async check({ t, own, other, unchanged }) {
      const made = await inputFor("getWebhookDraft")?.(t, own);
      const { connectorId } = (made?.params ?? {}) as { connectorId: Id<"connector"> };
      const theirs = { instanceId: other, connectorId };
      expect(await drafts.findDraft(t.deps.appDb, theirs)).toBeNull();
      const stored = await drafts.findDraft(t.deps.appDb, { ...own, connectorId });
      if (!stored) throw new Error("the fixture saved no draft");
      await unchanged(async () => {
        const draft = { name: "x", config: {}, authType: "apiKey", savedAt: new Date(0).toISOString() };
        const { savedAt } = stored;
        for (const seen of [null, savedAt])
          expect(await drafts.saveDraft(t.deps.appDb, theirs, draft, seen)).toBe(false);
        expect(await drafts.deleteDraft(t.deps.appDb, theirs, savedAt)).toBe(false);
      });
    },
  },
  {
    name: "the log of a webhook is neither read nor written, and its refusals are not forgotten,",
    async check({ t, own, other, unchanged }) {
      const log = postLog(t.deps.dataPool, t.deps.secrets);
      const connectorId = t.deps.newId<"connector">();
      const mine = { instanceId: own.instanceId, connectorId };
      const theirs = { instanceId: other, connectorId };
      const refusal = { code: "signature_wrong", status: 401, isProven: false, headers: [], body: "{}", size: 2 };
      await log.noteRefusal(mine, refusal);
      const query = { from: null, direction: "next", count: 9, outcome: undefined } as const;
      const [row] = await log.list(mine, query);
      if (!row) throw new Error("a refusal is in the log");
      expect(await log.list(theirs, query)).toEqual([]);
      expect(await log.find(theirs, "refusal", row.number)).toBeNull();
      await t.deps.dataPool.query(
        `INSERT INTO "${instanceSchema(own.instanceId)}".webhook_refusal_cut (connector_id, posts) VALUES ($1, 7)`,
        [connectorId],
      );
      expect(await log.cut(theirs)).toBe(0);
      await unchanged(async () => {
        await log.noteRefusal(theirs, refusal);
        await log.countRefusals(theirs, { ...refusal, times: 3 });
        await retentionStore(t.deps.dataPool).deleteRefusals(other, 0);
        expect(await webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql).addressOf(theirs)).toBeNull();
      });
    },
  },
  {
    name: "addresses for posts are not found or forgotten",
    async check({ t, own, other, unchanged }) {
      const store = retentionStore(t.deps.dataPool);
      const connectorId = t.deps.newId<"connector">();
      const place = { instanceId: own.instanceId, connectorId };
      await webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql).settleAddress(place, t.deps.newId(), false);
      expect(await store.webhooks(other)).not.toContain(connectorId);
      await unchanged(() => store.deleteWebhook(other, connectorId));
    },
  },
  {
    name: "cycles are not forgotten for a pipeline",
    async check({ t, own, other }) {
      const pool = t.deps.dataPool;
      const pipelineId = t.deps.newId<"entity">();
      const at = { instanceId: other, pipelineId, versionId: t.deps.newId(), versionNumber: 1 };
      await scheduleStore(pool).publish(at, null);
      // More than the newest that stay however old they are.
      await pool.query(
        `INSERT INTO "${instanceSchema(own.instanceId)}".cycle
           (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
         SELECT nextval('sync_cycle_number'), $1, false, 1, 'epoch', 'epoch', 'finished', '{}', '[]' FROM generate_series(1, 60)`,
        [pipelineId],
      );
      expect(await retentionStore(pool).deleteCycles(own.instanceId, 1)).toBe(0);
      await scheduleStore(pool).unpublish(other, pipelineId);
    },
  },
];

export const reconciliation: StatementCheck[] = [
  {
    name: "what pipelines have read counts for their own",
    async check(world) {
      const { t, own, other } = world;
      const pool = t.deps.dataPool;
      const pipelineId = await publishedTwice(world);
      await insertLook(t, own.instanceId, pipelineId, new Date().toISOString(), new Date().toISOString());
      const since = new Date(0).toISOString();
      const progressIn = (instanceId: Id<"instance">) =>
        evidenceStore(pool).progress({ instanceId, pipelineId }, since);
      expect((await progressIn(own.instanceId))?.scanned).toEqual(new Set([1]));
      expect((await progressIn(other))?.scanned).toEqual(new Set());
      await scheduleStore(pool).unpublish(other, pipelineId);
      expect(await progressIn(other)).toBeNull();
      await scheduleStore(pool).unpublish(own.instanceId, pipelineId);
    },
  },
  {
    name: "reports are not found, forgotten or cancelled",
    async check({ t, own, other, unchanged }) {
      const store = reportsStore(t.deps.dataPool);
      const pipelineId = t.deps.newId<"entity">();
      const add = async (status: string) => {
        const id = t.deps.newId();
        const report = { id, instanceId: own.instanceId, pipelineId, versionNumber: 1, requestedBy: "A" };
        await store.add(report);
        await t.deps.dataPool.query("UPDATE sync_reconciliation SET status = $2 WHERE id = $1", [id, status]);
        return id;
      };
      for (let count = 0; count <= MAX_REPORTS; count++) await add("FINISHED");
      const waiting = await add("WAITING");
      expect(await store.list(other, pipelineId)).toEqual([]);
      await unchanged(async () => {
        expect(await store.outdated(other, pipelineId)).toEqual([]);
        expect(await store.requestCancel(other, waiting)).toBe(false);
      });
    },
  },
  {
    name: "reports under way keep nobody waiting",
    async check({ t }) {
      const store = reportsStore(t.deps.dataPool);
      const { rows } = await t.deps.dataPool.query("SELECT DISTINCT instance_id FROM sync_reconciliation");
      const except = rows.map(({ instance_id: id }) => id);
      const [busy, idle] = [t.deps.newId<"instance">(), t.deps.newId<"instance">()];
      for (const instanceId of [busy, busy, idle])
        await store.add({
          id: t.deps.newId(),
          instanceId,
          pipelineId: t.deps.newId(),
          versionNumber: 1,
          requestedBy: "A",
        });
      const next = async () => (await store.acquire("worker", { except }))?.instanceId;
      expect([await next(), await next()]).toEqual([busy, idle]);
    },
  },
];
