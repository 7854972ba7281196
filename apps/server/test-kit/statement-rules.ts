/**
 * Statements that name an object and its instance find and change nothing with another instance, also where today's
 * callers have looked the object up before: the next caller may not.
 */
import type { Id } from "@accord/contracts";
import { Predicate } from "@accord/contracts/data/predicate";
import { expect } from "vitest";
import * as connectors from "../src/modules/connections/connectors/connectors.store.ts";
import * as connectorEntities from "../src/modules/connections/connectors/entities/entities.store.ts";
import * as schemaRequests from "../src/modules/connections/connectors/entities/schema-requests.store.ts";
import * as synapseTypes from "../src/modules/connections/connectors/synapse-types.store.ts";
import * as httpSynapses from "../src/modules/connections/custom-synapses/synapses.store.ts";
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
import { publishedSynapse } from "./systems/http-synapse.ts";
import { makeUploadsConnector, uploadFile } from "./systems/uploads.ts";
import { alertBody, makeAlert } from "./fixtures/card-alerts.ts";
import { makeExport, personIn } from "./fixtures/exports.ts";
import { fixtureOf } from "./fixtures/index.ts";
import { columnCard, dealsConfig, makeCard, makeDataset, makePublished, makeShare } from "./fixtures/insights.ts";
import { tenantHash } from "./generated/database-hash.ts";
import type { HandlerRule } from "./handler-rule.ts";
import { places, type StatementCheck } from "./statement-check.ts";
import { actions, definitions, runs } from "./statement-rules-pipelines.ts";
import { posts, retention, reconciliation } from "./statement-rules-kept.ts";

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
