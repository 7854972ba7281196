/**
 * Statements that name an object and its instance find and change nothing with another instance, also where today's
 * callers have looked the object up before: the next caller may not.
 */
import type { Id } from "@accord/contracts";
import { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { Predicate } from "@accord/contracts/data/predicate";
import { CustomActionInput, repeatActions } from "@accord/contracts/sync/actions";
import { MergeConfig, PipelineSettings } from "@accord/contracts/sync/pipelines";
import { expect } from "vitest";
import * as connectors from "../src/modules/connections/connectors/connectors.store.ts";
import * as connectorEntities from "../src/modules/connections/connectors/entities/entities.store.ts";
import * as schemaRequests from "../src/modules/connections/connectors/entities/schema-requests.store.ts";
import * as synapseTypes from "../src/modules/connections/connectors/synapse-types.store.ts";
import * as httpSynapses from "../src/modules/connections/custom-synapses/synapses.store.ts";
import * as drafts from "../src/modules/connections/webhooks/drafts.store.ts";
import * as sdkSynapses from "../src/modules/connections/sdk-synapses/synapses.store.ts";
import * as synapseVersions from "../src/modules/connections/sdk-synapses/versions.store.ts";
import { webhookInbox } from "../src/modules/connections/webhooks/inbox.store.ts";
import { postLog } from "../src/modules/connections/webhooks/post-log.store.ts";
import * as records from "../src/modules/data/records/records.store.ts";
import * as filters from "../src/modules/data/saved-filters/saved-filters.store.ts";
import { EntityDefinition } from "../src/modules/data/schema/entity-definition.ts";
import * as schema from "../src/modules/data/schema/schema.store.ts";
import * as firstStart from "../src/modules/identity/first-start.store.ts";
import * as roles from "../src/modules/identity/roles/roles.store.ts";
import * as alertChecks from "../src/modules/insights/alerts/alert-checks.store.ts";
import * as alertDeliveries from "../src/modules/insights/alerts/alert-deliveries.store.ts";
import * as alerts from "../src/modules/insights/alerts/alerts.store.ts";
import * as cards from "../src/modules/insights/cards/cards.store.ts";
import * as dashboards from "../src/modules/insights/dashboards/dashboards.store.ts";
import * as publications from "../src/modules/insights/dashboards/publications.store.ts";
import * as datasets from "../src/modules/insights/datasets/datasets.store.ts";
import * as uploadedFiles from "../src/modules/connections/connectors/uploads/files.store.ts";
import * as exportRuns from "../src/modules/insights/datasets/exports/export-runs.store.ts";
import * as exports from "../src/modules/insights/datasets/exports/exports.store.ts";
import * as shares from "../src/modules/insights/sharing/shares.store.ts";
import * as actionRuns from "../src/modules/sync/actions/action-runs.store.ts";
import * as customActions from "../src/modules/sync/actions/custom-actions/custom-actions.store.ts";
import * as fragments from "../src/modules/sync/fragments/fragments.store.ts";
import * as failedActions from "../src/modules/sync/actions/failed-actions.store.ts";
import { readPastActions } from "../src/modules/sync/actions/past-actions.store.ts";
import * as fieldPipelines from "../src/modules/sync/pipelines/field-pipelines/field-pipelines.store.ts";
import * as pipelines from "../src/modules/sync/pipelines/pipelines.store.ts";
import * as versions from "../src/modules/sync/pipelines/versions/versions.store.ts";
import { evidenceStore } from "../src/modules/sync/reconciliation/comparison/evidence.store.ts";
import { MAX_REPORTS, reportsStore } from "../src/modules/sync/reconciliation/report/reports.store.ts";
import { retentionStore } from "../src/modules/sync/retention/retention.store.ts";
import { configurationMarks } from "../src/modules/sync/runs/schedule/configuration-marks.store.ts";
import { leaseGuard } from "../src/modules/sync/runs/storage/lease-guard.store.ts";
import { deletionDetectionStore } from "../src/modules/sync/runs/deletions/deletion-detection.store.ts";
import { pageWrites } from "../src/modules/sync/runs/storage/pages/page-writes.store.ts";
import { runsStore } from "../src/modules/sync/runs/monitoring/runs.store.ts";
import { scheduleStore, wakeSql } from "../src/modules/sync/runs/schedule/schedule.store.ts";
import { fenceRun } from "../src/modules/sync/runs/schedule/fence-run.store.ts";
import { instanceSchema } from "../src/platform/db/db.ts";
import { transaction, withClient } from "../src/platform/db/transaction.ts";
import { finishedCycle } from "./sync-world/cycle-summaries.ts";
import { publishedSynapse } from "./systems/http-synapse.ts";
import { makeUploadsConnector, uploadFile } from "./systems/uploads.ts";
import { alertBody, makeAlert } from "./fixtures/card-alerts.ts";
import { makeExport, personIn } from "./fixtures/exports.ts";
import { fixtureOf, inputFor } from "./fixtures/index.ts";
import { columnCard, dealsConfig, makeCard, makeDataset, makePublished, makeShare } from "./fixtures/insights.ts";
import { tenantHash } from "./generated/database-hash.ts";
import type { HandlerRule } from "./handler-rules.ts";
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

const places = new WeakMap<TestApp, Promise<readonly [Id<"instance">, Id<"instance">]>>();

interface StatementCheck {
  name: string;
  /** @throws Error when a statement that names the other instance finds or changes something. */
  check(world: World): Promise<void>;
}

function toRule(statement: StatementCheck): HandlerRule {
  return {
    name: `${statement.name} with another instance`,
    async check(t) {
      const made = places.get(t) ?? Promise.all([t.build.instance(), t.build.instance()]);
      places.set(t, made);
      const [instanceId, other] = await made;
      const own = { organisationId: t.organisationId, instanceId };
      const hash = () => tenantHash(t, own, { withOrganisation: false });
      await statement.check({
        t,
        own,
        other,
        now: t.clock.now().toISOString(),
        async unchanged(work) {
          const before = await hash();
          await work();
          expect(await hash()).toBe(before);
        },
      });
    },
  };
}

const connections: StatementCheck[] = [
  {
    name: "HTTP synapses are neither found nor changed",
    async check({ t, own, other, unchanged }) {
      const db = t.deps.appDb;
      const synapseId = await publishedSynapse(t, own);
      const foreign = { instanceId: other, synapseId };
      const now = t.clock.now();
      expect(await httpSynapses.readSynapses(db, other)).toEqual([]);
      expect(await httpSynapses.findSynapse(db, foreign)).toBeNull();
      expect(await db.transaction().execute((tx) => httpSynapses.lockSynapse(tx, foreign))).toBeNull();
      expect(await httpSynapses.findVersion(db, foreign, 1)).toBeNull();
      expect(await httpSynapses.readShares(db, foreign)).toEqual([]);
      expect(await httpSynapses.readConnectionsOf(db, foreign)).toEqual([]);
      expect(await httpSynapses.countLost(db, foreign)).toBe(0);
      expect(await synapseTypes.findSynapseType(db, other, synapseId)).toBeNull();
      expect(await synapseTypes.holdSynapseType(db, other, synapseId)).toBe(false);
      expect(await synapseTypes.readSynapseTypes(db, other)).toEqual([]);
      expect(await synapseTypes.readDefinitions(db, other, [{ id: synapseId, version: 1 }])).toEqual([]);
      await unchanged(async () => {
        await httpSynapses.editSynapse(db, foreign, { shareScope: "GLOBAL" }, now);
        await httpSynapses.replaceShares(db, foreign, [other]);
        await httpSynapses.touchConnectionsOf(db, foreign, now);
        await httpSynapses.deleteSynapse(db, foreign);
      });
    },
  },
  {
    name: "uploaded files are neither found nor changed",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const manager = t.as("INSTANCE_ADMIN", own);
      const { id: connectorId } = await makeUploadsConnector(manager, t.deps.newId());
      const { id } = await uploadFile(manager, connectorId, "a.csv", "id\n1\n");
      const foreign = { instanceId: other, connectorId, id };
      expect(await uploadedFiles.readFiles(db, other, connectorId)).toEqual([]);
      expect(await uploadedFiles.findFile(db, foreign)).toBeNull();
      expect(await uploadedFiles.lockFile(db, foreign)).toBeNull();
      expect(await uploadedFiles.readPiece(db, foreign, 0)).toBeNull();
      expect(await uploadedFiles.digestPieces(db, { instance_id: other, id })).toBe("");
      expect((await uploadedFiles.readUsage(db, other)).files).toBe(0);
      await unchanged(async () => {
        const piece = { number: 1, content: Buffer.from("x"), isLast: true, now };
        await uploadedFiles.addPiece(db, foreign, piece);
        await uploadedFiles.setRowCount(db, foreign, 5, now);
        await uploadedFiles.putInUse(db, foreign, "a.csv");
        expect(await uploadedFiles.deleteFile(db, foreign)).toBe(false);
        await uploadedFiles.deleteFilesOf(db, other, connectorId);
      });
    },
  },
  {
    name: "connectors are not found",
    async check({ t, own, other, unchanged }) {
      const db = t.deps.appDb;
      const now = t.clock.now();
      const id = await fixtureOf("connector")(t, own);
      const nothing = { hosts: [], plain: {}, secret_names: [], sealed: "sealed" };
      await connectors.saveCredential(
        db,
        { id: t.deps.newId(), instance_id: own.instanceId, connector_id: id, ...nothing },
        now,
      );
      expect(await connectors.findCredential(db, other, id)).toBeNull();
      expect(await connectors.readStored(db, other, [id])).toEqual([]);
      expect(await connectorEntities.readEntities(db, other, id)).toEqual([]);
      expect(await connectorEntities.findEntities(db, other, [{ connectorId: id, entity: "sample" }])).toEqual([]);
      expect(await connectorEntities.findEntity(db, other, id, "sample")).toBeNull();
      await unchanged(async () => {
        expect(await connectors.editConnector(db, other, id, 1, { name: t.deps.newId() }, now)).toBe(false);
        expect(await connectors.changeState(db, other, id, {}, { status: "ACTIVE" })).toBe(false);
        for (const request of [schemaRequests.requestIdle, schemaRequests.requestActive, schemaRequests.requestUsed])
          expect(await request(db, other, id)).toBeNull();
        expect(await db.transaction().execute((tx) => schemaRequests.holdRequest(tx, other, id, 0))).toBe(false);
        await connectorEntities.chooseFields(db, other, id, "sample", { idField: "id" });
        await connectors.markDeleted(db, other, id, now);
      });
    },
  },
];

const data: StatementCheck[] = [
  {
    name: "a choice of columns is not found",
    async check({ t, own, other }) {
      const db = t.deps.appDb;
      const userId = await t.build.user({ ...own, roles: ["VIEWER"] });
      const entityId = (await fixtureOf("entity")(t, own)) as Id<"entity">;
      await records.saveColumns(db, own.instanceId, userId, entityId, ["name"]);
      expect(await records.readColumns(db, other, userId, entityId)).toBeNull();
    },
  },
  {
    name: "saved filters are not found",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const entityId = (await fixtureOf("entity")(t, own)) as Id<"entity">;
      const id = t.deps.newId<"savedFilter">();
      const creator = { id: await t.build.user(own), name: "A" };
      const criteria = Predicate.parse({ type: "group", combinator: "and", children: [] });
      const text = { name: `filter ${id}`, description: "", criteria, tags: [] };
      await filters.insertFilter(db, own.instanceId, { ...text, id, entityId, creator, now });
      expect(await filters.readCriteria(db, other, entityId)).toEqual([]);
      expect(await filters.creatorOf(db, other, id)).toBeNull();
      const name = { text: text.name, entityId, creator: creator.id, except: null };
      expect(await filters.isNameTaken(db, other, name)).toBe(false);
      await unchanged(async () => {
        expect(await filters.updateFilter(db, other, id, { ...text, version: 1, by: "A", now })).toBe(false);
        await filters.deleteFilter(db, other, id);
      });
    },
  },
  {
    name: "entities and their versions are not found",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const entityId = (await fixtureOf("entity")(t, own)) as Id<"entity">;
      const [stored] = await schema.readEntities(db, own.instanceId, { entityId });
      const definition = EntityDefinition.parse(stored?.published?.definition);
      const draft = { version: 2, state: "DRAFT" as const, definition, now, by: "A" };
      await schema.insertVersion(db, own.instanceId, entityId, draft);
      expect(await schema.readVersions(db, other, entityId)).toEqual([]);
      await unchanged(() => schema.updateDraft(db, other, entityId, { definition, now, by: "B" }));
      await unchanged(() =>
        schema.approveDraft(db, other, entityId, { version: 2, now: new Date(0).toISOString(), by: "B" }),
      );
      await unchanged(() => schema.deleteDraft(db, other, entityId));
      await unchanged(() => schema.deleteEntityRow(db, other, entityId));
    },
  },
];

const identity: StatementCheck[] = [
  {
    name: "the first start finds what belongs to its organisation",
    async check({ t }) {
      const db = t.deps.appDb;
      const organisation = await t.build.organisation(`o${t.deps.newId()}`);
      const instanceId = await t.build.instance(organisation);
      const admin_id = await t.build.user({ ...organisation, instanceId });
      const { organisationId: organisation_id } = organisation;
      await firstStart.insertInstallation(db, { organisation_id, admin_id, demo: false, password_untold: false });
      const found = await firstStart
        .findInstallation(db)
        .finally(() => t.deps.appPool.query("DELETE FROM installation"));
      expect(found?.subscription_id).toBe(organisation.subscriptionId);
      expect(await firstStart.findUnfinishedInstances(db, organisation_id)).toEqual([instanceId]);
    },
  },
  {
    name: "roles of another organisation are not changed",
    async check({ t }) {
      const db = t.deps.appDb;
      const { organisationId } = await t.build.organisation(`o${t.deps.newId()}`);
      const id = await fixtureOf("role")(t, t);
      const changes = { name: t.deps.newId(), description: "", permissions: [], updated_at: t.clock.now() };
      expect(await roles.updateCustomRole(db, { organisationId, id, version: 1 }, changes)).toBeUndefined();
      await roles.deleteCustomRole(db, organisationId, id);
      expect((await roles.findCustomRole(db, t.organisationId, id))?.version).toBe(1);
    },
  },
];

const insights: StatementCheck[] = [
  {
    name: "alerts on cards and their evaluations are neither found nor changed",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const cardId = await makeCard(t, own);
      const id = await makeAlert(t, own, cardId);
      const ownerId = await personIn(t, own);
      const body = alertBody([ownerId]);
      expect(await alerts.readAlerts(db, other, cardId)).toEqual([]);
      expect(await alerts.findAlert(db, other, id)).toBeNull();
      expect(await alerts.countOfCard(db, other, cardId)).toBe(0);
      expect(await alerts.countAlerts(db, other, cardId)).toEqual({ ofCard: 0, ofInstance: 0 });
      expect(await alertChecks.findDueCard(db, other, now)).toBeNull();
      const claim = { cardId, runId: t.deps.newId(), now: t.clock.now().toISOString() };
      await unchanged(async () => {
        expect(await alerts.updateAlert(db, other, { ...body, ownerId, address: null, now, id, version: 1 })).toBe(
          false,
        );
        expect(await alerts.deleteAlert(db, other, id)).toBe(false);
        expect(await alertChecks.claimDue(db, other, claim)).toEqual([]);
      });
      const [claimed] = await alertChecks.claimDue(db, own.instanceId, claim);
      const foreign = { ...claimed!, instanceId: other };
      const end = { latch: "OK", failures: 0, notices: 0, outcome: "VALUE", problem: null, hasCrossed: false } as const;
      await unchanged(async () => {
        expect(await alertChecks.lockClaimed(db, foreign)).toBeNull();
        await alertChecks.saveEnd(db, foreign, { ...end, now });
        await alertChecks.releaseClaims(db, other, claim.runId);
      });
      const message = { id: t.deps.newId<"mail">(), alertId: id, now: claim.now };
      await alertDeliveries.addDelivery(db, own.instanceId, { ...message, userId: null, content: {} });
      expect(await alertDeliveries.claimDelivery(db, { callsOf: other }, claim)).toBeNull();
      const delivery = await alertDeliveries.claimDelivery(db, { callsOf: own.instanceId }, claim);
      const elsewhere = { ...delivery!, instanceId: other };
      expect(await alertDeliveries.findCalled(db, other, id)).toBeNull();
      await unchanged(async () => {
        expect(await alertDeliveries.endDelivery(db, elsewhere)).toBe(false);
        await alertDeliveries.postponeDelivery(db, elsewhere, { attempts: 1, until: now });
        await alertDeliveries.noteCall(db, { ...elsewhere, sealed: "sealed" }, "It failed.");
      });
      await alerts.deleteAlert(db, own.instanceId, id);
    },
  },
  {
    name: "exports and their files are neither found nor changed",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const datasetId = await makeDataset(t, own);
      const userId = await personIn(t, own);
      const [id, waiting] = [
        await makeExport(t, own, { datasetId, userId }),
        await makeExport(t, own, { datasetId, userId, status: "QUEUED" }),
      ];
      expect(await exports.readExports(db, other, { datasetId, userId, now })).toEqual([]);
      expect(await exports.findExport(db, other, { id, userId, now })).toBeNull();
      expect(await exports.readUsage(db, other)).toEqual({ stored: 0, bytes: 0 });
      expect(await exports.readChunk(db, other, id, 0)).toBeNull();
      expect(await exportRuns.hasWaiting(db, other)).toBe(false);
      const end = { expiresAt: now };
      await unchanged(async () => {
        expect(await exportRuns.claimNext(db, other, t.deps.newId())).toBeNull();
        expect(await exports.cancelExport(db, other, { id: waiting, userId, ...end })).toBe(false);
        expect(await exports.deleteExport(db, other, { id, userId })).toBe(false);
        await exports.deleteChunks(db, other, id);
      });
      const runId = t.deps.newId();
      const claimed = await exportRuns.claimNext(db, own.instanceId, runId);
      const foreign = { ...claimed!, instanceId: other };
      await unchanged(async () => {
        expect(await exportRuns.renewLease(db, foreign, { rows: 1, total: 1 })).toBe(false);
        expect(await exportRuns.addChunk(db, foreign, 0, Buffer.from("x"))).toBe(false);
        expect(await exportRuns.completeExport(db, foreign, 1, now)).toBe(false);
        expect(await exportRuns.failExport(db, foreign, "x", now)).toBe(false);
        await exportRuns.requeueExport(db, foreign);
      });
      await exports.deleteExport(db, own.instanceId, { id: waiting, userId });
    },
  },
  {
    name: "datasets and cards are not changed",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const datasetId = await makeDataset(t, own);
      const cardId = await makeCard(t, own, datasetId);
      const text = { displayName: "Other", description: "", tags: [], by: "B", now };
      await unchanged(async () => {
        const dataset = { ...text, datasetConfig: dealsConfig(t.deps.newId()) };
        expect(await datasets.updateDataset(db, other, datasetId, 1, dataset)).toBe(false);
        const card = { ...text, configuration: columnCard(datasetId) };
        expect(await cards.updateCard(db, other, cardId, 1, card)).toBe(false);
        await cards.deleteCard(db, other, cardId);
      });
      const alone = await makeDataset(t, own);
      await unchanged(() => datasets.deleteDataset(db, other, alone));
    },
  },
  {
    name: "dashboards, publications and shares are not found",
    async check({ t, own, other, now, unchanged }) {
      const db = t.deps.appDb;
      const cardId = await makeCard(t, own);
      const id = await makePublished(t, own, [cardId]);
      const { share } = await makeShare(t, own, id);
      const stored = await dashboards.readDashboard(db, own.instanceId, id);
      if (!stored) throw new Error("the dashboard is gone");
      const written = { by: "B", now: new Date(0).toISOString() };
      expect(await publications.readPublication(db, other, id)).toBeNull();
      expect(await publications.publicationsHolding(db, other, { kind: "cards", id: cardId })).toEqual([]);
      expect(await publications.readPublications(db, other)).toEqual([]);
      expect(await shares.readShare(db, other, id, share.sharedItemId)).toBeNull();
      expect(await shares.countShares(db, other, id)).toBe(0);
      await unchanged(() => publications.writePublication(db, other, id, { cards: [], datasets: [], ...written }));
      await unchanged(() => shares.setExpiry(db, other, share.sharedItemId, now));
      await unchanged(() => shares.deleteShare(db, other, share.sharedItemId));
      await unchanged(() => dashboards.updateDashboard(db, other, id, stored.version, { ...stored, ...written }));
      await unchanged(() => dashboards.approveDashboard(db, other, id, written));
      await unchanged(() => dashboards.deleteDashboard(db, other, id));
    },
  },
];

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

const actions: StatementCheck[] = [
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

const definitions: StatementCheck[] = [
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

/** The same pipeline published in both instances, due in an hour. */
async function publishedTwice({ t, own, other }: World): Promise<Id<"entity">> {
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

const insertLook = (t: TestApp, instanceId: string, pipelineId: string, dueAt: string, endedAt: string | null) =>
  t.deps.dataPool.query(
    `INSERT INTO sync_look (instance_id, pipeline_id, place, due_at, ended_at) VALUES ($1, $2, 1, $3, $4)`,
    [instanceId, pipelineId, dueAt, endedAt],
  );

const runs: StatementCheck[] = [
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

const NOTHING_LOGGED = { headers: [], size: 2, records: 1, replayOf: null };

const posts: StatementCheck[] = [
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

const retention: StatementCheck[] = [
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

const reconciliation: StatementCheck[] = [
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

export const STATEMENT_RULES: readonly HandlerRule[] = [
  ...connections,
  ...data,
  ...identity,
  ...insights,
  ...actions,
  ...definitions,
  ...runs,
  ...posts,
  ...retention,
  ...reconciliation,
].map(toRule);
