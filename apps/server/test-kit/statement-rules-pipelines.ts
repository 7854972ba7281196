/** Statements of pipelines, their actions and their runs that must stay within their instance. */
import type { Id } from "@accord/contracts";
import { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { CustomActionInput, repeatActions } from "@accord/contracts/sync/actions";
import { MergeConfig, PipelineSettings } from "@accord/contracts/sync/pipelines";
import { expect } from "vitest";
import * as connectors from "../src/modules/connections/connectors/connectors.store.ts";
import * as sdkSynapses from "../src/modules/connections/sdk-synapses/synapses.store.ts";
import * as synapseVersions from "../src/modules/connections/sdk-synapses/versions.store.ts";
import * as actionRuns from "../src/modules/sync/actions/action-runs.store.ts";
import * as customActions from "../src/modules/sync/actions/custom-actions/custom-actions.store.ts";
import * as fragments from "../src/modules/sync/fragments/fragments.store.ts";
import * as failedActions from "../src/modules/sync/actions/failed-actions.store.ts";
import { readPastActions } from "../src/modules/sync/actions/past-actions.store.ts";
import * as fieldPipelines from "../src/modules/sync/pipelines/field-pipelines/field-pipelines.store.ts";
import * as pipelines from "../src/modules/sync/pipelines/pipelines.store.ts";
import * as versions from "../src/modules/sync/pipelines/versions/versions.store.ts";
import { configurationMarks } from "../src/modules/sync/runs/schedule/configuration-marks.store.ts";
import { leaseGuard } from "../src/modules/sync/runs/storage/lease-guard.store.ts";
import { deletionDetectionStore } from "../src/modules/sync/runs/deletions/deletion-detection.store.ts";
import { pageWrites } from "../src/modules/sync/runs/storage/pages/page-writes.store.ts";
import { scheduleStore } from "../src/modules/sync/runs/schedule/schedule.store.ts";
import { fenceRun } from "../src/modules/sync/runs/schedule/fence-run.store.ts";
import { instanceSchema } from "../src/platform/db/db.ts";
import { transaction, withClient } from "../src/platform/db/transaction.ts";
import { finishedCycle } from "./sync-world/cycle-summaries.ts";
import { fixtureOf, inputFor } from "./fixtures/index.ts";
import type { TestApp } from "./test-app.ts";
import { type StatementCheck, publishedTwice, insertLook } from "./statement-check.ts";

/** An action of a pipeline about the record `a`. */
async function insertAction(t: TestApp, instanceId: string, pipelineId: string, state: string): Promise<string> {
  const id = t.deps.newId();
  await t.deps.dataPool.query(
    `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, key, external_id, work, state)
     VALUES ($1, $2, $3, 1, 'node', 'Log', 'logMessage', 'key', 'a', '{"kind":"log","level":"info","text":"Hello"}', $4)`,
    [id, instanceId, pipelineId, state],
  );
  return id;
}

export const actions: StatementCheck[] = [
  {
    name: "actions are not found",
    async check({ t, own, other, unchanged }) {
      const pool = t.deps.dataPool;
      const pipelineId = (await fixtureOf("entity")(t, own)) as Id<"entity">;
      const id = await insertAction(t, own.instanceId, pipelineId, "FAILED");
      const scope = { instanceId: other, pipelineId, versionNumber: 1 };
      const filter = { states: [], nodeId: null, recordId: null, before: null, count: 10 };
      expect(await actionRuns.readByKeys(pool, scope, ["key"])).toEqual([]);
      expect(await readPastActions(pool, scope, filter)).toEqual({ rows: [], isMore: false });
      expect(await failedActions.hasActions(pool, { ...scope, ids: [id] })).toBe(false);
      const repeated = await t.as("SUPER_ADMIN").send(repeatActions, { params: { entityId: pipelineId }, body: {} });
      expect(repeated.status).toBe(404);
      const table = `"${instanceSchema(own.instanceId)}".link`;
      await unchanged(() => actionRuns.endOccurrences(pool, scope, { keys: ["key"], links: { table, placeId: 1 } }));
      await unchanged(() => failedActions.repeatFailed(pool, { ...scope, ids: null }));
      await unchanged(async () => {
        const run = { id: await insertAction(t, other, pipelineId, "BEGUN"), attempts: 0 };
        const outcome = { succeeded: true, body: null, code: null, message: null };
        const about = { instanceId: other, pipelineId, nodeId: "node", externalId: "a", recordId: null };
        await actionRuns.settleAction(pool, { ...run, ...about }, { state: "DONE", outcome } as never);
      });
    },
  },
  {
    name: "actions of one record do not wait for those",
    async check({ t, own, other }) {
      const pipelineId = t.deps.newId<"entity">();
      const earlier = await insertAction(t, other, pipelineId, "DUE");
      const later = await insertAction(t, own.instanceId, pipelineId, "DUE");
      const claimed = (await actionRuns.claimDue(t.deps.dataPool, own.instanceId, 1_000)).map((run) => run.id);
      expect(claimed).toContain(later);
      expect(claimed, "nor are they claimed with them").not.toContain(earlier);
    },
  },
  {
    name: "custom actions are not changed",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const id = (await fixtureOf("customAction")(t, own)) as Id<"customAction">;
      const definition = CustomActionInput.omit({ secret: true }).parse({
        displayName: "Other",
        apiName: `other_${id}`,
        endpoint: "http://127.0.0.1:9/other",
      });
      const by = { userId: t.deps.newId<"user">(), firstName: "Other", lastName: "Person" };
      const changed = { id, definition, secret: null, secretHost: null, revision: 0, by, now };
      await unchanged(async () => {
        expect(await customActions.writeAction(db, other, changed)).toBe(false);
        await customActions.removeAction(db, other, id);
      });
    },
  },
  {
    name: "fragments and their shares are neither found nor changed",
    async check({ t, own, other, unchanged }) {
      const db = t.deps.appDb;
      const id = (await fixtureOf("fragment")(t, own)) as Id<"fragment">;
      const third = t.deps.newId<"instance">();
      await fragments.replaceShares(db, id, [third]);
      await fragments.setHidden(db, own.instanceId, id, true);
      expect(await fragments.readFragments(db, other)).toEqual([]);
      expect(await fragments.findFragment(db, other, id)).toBeUndefined();
      expect(await fragments.readShares(db, other, id)).toEqual([]);
      await unchanged(async () => {
        expect(await fragments.lockFragment(db, other, id)).toBe(false);
        await fragments.removeFragment(db, other, id);
        await fragments.setHidden(db, other, id, false);
      });
    },
  },
  {
    name: "uploaded synapses, their versions and shares are not found",
    async check({ t, own, other, unchanged }) {
      const { appDb: db } = t.deps;
      const id = (await fixtureOf("sdkSynapse")(t, own)) as Id<"sdkSynapse">;
      await sdkSynapses.replaceShares(db, own.instanceId, id, { scope: "PRIVATE", instanceIds: [other] });
      const [version] = await synapseVersions.readCurrent(db, [{ instance_id: own.instanceId, id }]);
      if (!version) throw new Error("There is no version.");
      const foreign = { ...version, instance_id: other };
      const files = { code_name: "a.mjs", code: Buffer.from("a"), requirements: Buffer.from("{}"), icon: null };
      const now = new Date(0);
      const by = version.uploaded_by;
      expect(await sdkSynapses.readVisible(db, other)).toEqual([]);
      expect(await sdkSynapses.findVisible(db, other, id)).toBeNull();
      expect(await sdkSynapses.findOwn(db, other, id)).toBeNull();
      expect(await sdkSynapses.lockOwn(db, other, id)).toBeNull();
      expect(await sdkSynapses.readShares(db, other, id)).toEqual([]);
      expect(await synapseVersions.readCurrent(db, [{ instance_id: other, id }])).toEqual([]);
      expect(await synapseVersions.readFilesOf(db, foreign)).toBeNull();
      await unchanged(async () => {
        const named = { version: 2, displayName: "Theirs", publishToGlobal: true };
        expect(await sdkSynapses.updateSynapse(db, other, id, named)).toBe(false);
        await sdkSynapses.setDeployment(db, other, id, "ERROR", "x");
        await sdkSynapses.makeGlobal(db, other, id, true);
        await sdkSynapses.replaceShares(db, other, id, { scope: "SUBSCRIPTION", instanceIds: [] });
        await sdkSynapses.deleteSynapse(db, other, id);
        const replaced = { ...files, content_hash: "0", uploaded_by: by, now };
        const seen = version.content_hash;
        expect(await synapseVersions.replaceFiles(db, { ...foreign, seen }, replaced)).toBe(false);
        const description = { ...version.description, displayName: "Theirs" };
        await synapseVersions.saveDescription(db, foreign, SynapseDescription.parse(description));
        const change = { from: "NEW", to: "SUBMIT_FOR_APPROVAL", by, now } as const;
        expect(await synapseVersions.changeStatus(db, foreign, change)).toBe(false);
        await synapseVersions.archivePublished(db, { instance_id: other, id });
        expect(await synapseVersions.deleteDraft(db, { instance_id: other, id })).toBe(false);
      });
    },
  },
];

export const definitions: StatementCheck[] = [
  {
    name: "pipelines and their drafts are not found",
    async check({ t, own, other, unchanged }) {
      const { appDb: db, appPool } = t.deps;
      const made = await inputFor("createFieldDraft")?.(t, own);
      const { entityId } = (made?.params ?? {}) as { entityId: Id<"entity"> };
      expect((await fieldPipelines.readFieldDrafts(db, other, entityId)).size).toBe(0);
      expect(await pipelines.readDraftGraph(db, other, entityId)).toBeNull();
      // Somebody else has the pipeline in hand: who must not see it does not wait for it.
      await transaction(appPool, async ({ client }) => {
        await client.query("SELECT FROM pipeline WHERE entity_id = $1 FOR UPDATE", [entityId]);
        await transaction(appPool, async ({ client: second, db: waiting }) => {
          await second.query("SET LOCAL lock_timeout = '1s'");
          expect(await pipelines.readHeads(waiting, other, { entityId, lock: true })).toEqual([]);
        });
      });
      const settings = PipelineSettings.parse({ realtimePipeline: true });
      await unchanged(() =>
        pipelines.setSettings(db, other, entityId, {
          settings,
          mergeConfig: MergeConfig.parse({ retainFields: ["name"] }),
        }),
      );
      await unchanged(() => pipelines.setPublished(db, other, entityId, t.deps.newId()));
      await unchanged(() => fieldPipelines.deleteFieldDrafts(db, other, entityId));
      await unchanged(() => pipelines.deleteDraft(db, other, entityId));
    },
  },
  {
    name: "versions of pipelines are not found",
    async check({ t, own, other }) {
      const db = t.deps.appDb;
      const made = await inputFor("getPipelineVersion")?.(t, own);
      const { entityId, versionId } = (made?.params ?? {}) as {
        entityId: Id<"entity">;
        versionId: Id<"pipelineVersion">;
      };
      expect(await versions.readVersions(db, other, entityId)).toEqual([]);
      expect(await versions.findVersion(db, other, entityId, versionId)).toBeUndefined();
      expect(await versions.readVersionNodes(db, other, entityId)).toEqual([]);
      expect(await versions.readVersionSources(db, other, entityId)).toEqual([]);
      expect(await versions.countVersions(db, other)).toBe(0);
    },
  },
  {
    name: "what a plan is made of says nothing",
    async check({ t, own, other }) {
      const made = await inputFor("createFieldDraft")?.(t, own);
      const { entityId } = (made?.params ?? {}) as { entityId: Id<"entity"> };
      const connectorId = await fixtureOf("connector")(t, own);
      const nothing = { hosts: [], plain: {}, secret_names: [], sealed: "sealed" };
      await connectors.saveCredential(
        t.deps.appDb,
        { id: t.deps.newId(), instance_id: own.instanceId, connector_id: connectorId, ...nothing },
        t.clock.now(),
      );
      const { mark } = configurationMarks(t.deps.appPool);
      const places = [{ connectorId, entity: "sample" }];
      expect(await mark(other, entityId, places)).toBe(await mark(other, t.deps.newId(), []));
    },
  },
];

export const runs: StatementCheck[] = [
  {
    name: "cycles take, keep and give back only their own pipeline",
    async check(world) {
      const { t, own, other, unchanged } = world;
      const pool = t.deps.dataPool;
      const store = scheduleStore(pool);
      const pipelineId = await publishedTwice(world);
      const theirs = { instanceId: other, pipelineId };
      const run = { epoch: 7, cycleNumber: 1, versionNumber: 1 };
      await unchanged(() => withClient(pool, (client) => leaseGuard(theirs)(client, run)));
      await unchanged(() => {
        const next = { dueInMs: 0, isResync: false, error: null, isProbing: false, isWorthKeeping: false };
        return store.finish({ ...theirs, ...run }, finishedCycle(), next);
      });
      await unchanged(() => {
        const { reach } = pageWrites({ scope: theirs } as never);
        const position = { of: "resync", resyncId: "r", nodeId: "node", cursor: 1, read: 1 } as const;
        return withClient(pool, (client) => reach(client, position as never));
      });
      await unchanged(() => withClient(pool, (client) => fenceRun(client, other, pipelineId)));
      await pool.query("UPDATE sync_pipeline SET due_at = 'epoch' WHERE instance_id = $1 AND pipeline_id = $2", [
        other,
        pipelineId,
      ]);
      await unchanged(async () => {
        expect(await store.acquire(t.deps.newId(), [])).toMatchObject(theirs);
      });
      for (const instanceId of [other, own.instanceId]) await store.unpublish(instanceId, pipelineId);
    },
  },
  {
    name: "the lease of a pipeline is not renewed",
    async check({ t, own, other }) {
      const pipelineId = t.deps.newId<"entity">();
      await scheduleStore(t.deps.dataPool).publish(
        { instanceId: own.instanceId, pipelineId, versionId: t.deps.newId(), versionNumber: 1 },
        null,
      );
      const guard = leaseGuard({ instanceId: other, pipelineId });
      const run = { epoch: 0, cycleNumber: 1, versionNumber: 1 };
      await expect(withClient(t.deps.dataPool, (client) => guard(client, run))).rejects.toThrow("lost");
      await scheduleStore(t.deps.dataPool).unpublish(own.instanceId, pipelineId);
    },
  },
  {
    name: "looks for missing records are taken, ended and forgotten apart",
    async check({ t, own, other, unchanged }) {
      const store = deletionDetectionStore(t.deps.dataPool);
      const pipelineId = t.deps.newId<"entity">();
      const later = new Date(Date.now() + 3_600_000).toISOString();
      await insertLook(t, own.instanceId, pipelineId, later, null);
      await insertLook(t, other, pipelineId, new Date(0).toISOString(), null);
      const theirs = { instanceId: other, pipelineId, placeId: 1 };
      await unchanged(async () => {
        expect(await store.take()).toEqual(theirs);
      });
      await unchanged(() => store.end(theirs, 3_600, null));
      await unchanged(() => store.hurry(other, pipelineId));
      const wanted = { ...theirs, firstSeconds: 60, mostSeconds: 60 };
      await unchanged(() => store.keepOnly([wanted, { ...wanted, ...own, mostSeconds: null }]));
      await store.hurryPlace(theirs);
      expect([await store.isOneDue([own.instanceId]), await store.isOneDue([other])]).toEqual([true, false]);
      await store.keepOnly([wanted]);
      const { rows } = await t.deps.dataPool.query("SELECT instance_id FROM sync_look WHERE pipeline_id = $1", [
        pipelineId,
      ]);
      expect(rows).toEqual([{ instance_id: other }]);
    },
  },
];
