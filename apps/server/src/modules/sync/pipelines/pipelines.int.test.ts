/** The table of pipelines and what the editor looks up, through the API. */
import { listEntityUses } from "@accord/contracts/data/core-schema";
import { getNodePicklistValues } from "@accord/contracts/sync/node-fields";
import { getGraphPalette, getPipelinePalette, lookUpTokens } from "@accord/contracts/sync/palette";
import * as contract from "@accord/contracts/sync/pipelines";
import { describe, expect, test } from "vitest";
import type { Module } from "../../../platform/module.ts";
import type { PipelineService } from "./index.ts";
import { CRM, wholeGraph, pipelineDrafts } from "../../../../test-kit/pipeline-drafts.ts";

const drawn = pipelineDrafts();
const { draftOf, savedWhole, publish } = drawn;

describe("the table", () => {
  test("[SYN-025] rows tell sources, destinations and mapped fields", async () => {
    await savedWhole(drawn.accounts);
    const row = await drawn.t.as("VIEWER").call(contract.getPipeline, { params: { entityId: drawn.accounts } });
    const place = {
      connectorId: CRM,
      connectorName: "CRM",
      connectorType: "postgres",
      entityId: "company",
      entityName: "Company",
    };
    expect(row).toMatchObject({
      name: "Account",
      pipelineStatus: "DRAFT",
      pipelineStatusTagData: ["Draft"],
      pipelineStateTagData: [],
      currentActivity: "Not published",
      sources: [place],
      destinations: [place],
      fieldsMapped: 2,
      numberOfVersions: 0,
    });
    expect(row.lastModifiedBy).toEqual({ firstName: "Test", lastName: "Person" });
  });

  test("[SYN-024] [SYN-026] rows tell how the last cycle went, and who changed and published what", async () => {
    const draft = await savedWhole(drawn.accounts);
    await publish(drawn.accounts, draft.revision);
    const state = {
      entityId: drawn.accounts,
      status: "RUNNING" as const,
      health: {
        state: "WARNING" as const,
        severity: "warning" as const,
        reasons: [],
        counts: { failing: 0, quarantined: 0, refused: 0, warnings: 2, waiting: 0 },
      },
      currentActivity: "Reading from CRM",
      errorCount: 0,
      warningCount: 2,
      errorDetails: [],
      lagTimeInSeconds: 1,
      lastSyncTime: "2026-11-21T10:00:00.000Z",
      lastCycleMs: 1840,
      transactionsInLastCycle: 17,
      recentCycles: [{ startedAt: "2026-11-21T10:00:00.000Z", changed: 17, isFailed: false }],
      nextAt: null,
      pausedBy: "Ada Lovelace",
      quarantined: 0,
      resync: null,
      sources: [],
      destinations: [],
    };
    const done = async () => {};
    const { service } = drawn.t.module<Module & { service: PipelineService }>("sync/pipelines");
    service.connectRuns({ published: done, unpublished: done, states: async () => [state] });
    const row = await drawn.t.as("VIEWER").call(contract.getPipeline, { params: { entityId: drawn.accounts } });
    expect(row).toMatchObject({
      id: drawn.accounts,
      pipelineStatusTagData: ["Published"],
      pipelineStateTagData: ["Running", "Warning"],
      health: state.health,
      warningCount: 2,
      currentActivity: "Reading from CRM",
      lastCompletedSync: state.lastSyncTime,
      lagInSeconds: 1,
      pausedBy: "Ada Lovelace",
      lastCycleDuration: { duration: 1.8, durationUnit: "s" },
      transactionsInLastCycle: 17,
      recentCycles: state.recentCycles,
      lastModifiedBy: { firstName: "Test", lastName: "Person" },
      resyncDetails: null,
    });
    expect(row.lastPublishedBy).toEqual({ firstName: "Test", lastName: "Person" });
    expect(row.lastPublishedOn).toBe(drawn.t.clock.now().toISOString());
    drawn.t.clock.advance(60_000);
    await draftOf(drawn.accounts);
    const later = await drawn.t.as("VIEWER").call(contract.getPipeline, { params: { entityId: drawn.accounts } });
    expect(later.lastModifiedOn).toBe(drawn.t.clock.now().toISOString());
    expect(later.lastPublishedOn).toBe(row.lastPublishedOn);
  });

  test("[SYN-028] search and filters narrow the rows, counts stay those of all", async () => {
    const draft = await savedWhole(drawn.accounts);
    await publish(drawn.accounts, draft.revision);
    const list = (query: Record<string, unknown>) => drawn.t.as("VIEWER").call(contract.listPipelines, { query });
    const all = await list({});
    expect(all.summary.total).toBe(all.total - all.unmapped);
    expect((await list({ search: "acc" })).rows.map((row) => row.apiName)).toContain("Account");
    const found = await list({ sources: "company", pipelineStatus: "Draft" });
    expect(found.rows.map((row) => row.apiName)).toEqual(expect.arrayContaining(["Account"]));
    expect(found.rows.every((row) => row.sources.length > 0 || row.pipelineStatusTagData.includes("Draft"))).toBe(true);
    expect((await list({ pageSize: 2, page: 2 })).rows).toHaveLength(2);
  });

  test("[SYN-020] all rows are ordered before they are cut into pages, names whatever their case", async () => {
    await savedWhole(drawn.accounts);
    const list = (query: object) => drawn.t.as("VIEWER").call(contract.listPipelines, { query });
    const ascending = (await list({ pageSize: 100 })).rows.map(({ name }) => name);
    expect(ascending).toEqual(ascending.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })));
    const pages = [];
    for (const [index] of ascending.entries()) pages.push(await list({ sort: "-name", pageSize: 1, page: index + 1 }));
    expect(pages.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual(ascending.toReversed());
    const [mostFields] = (await list({ sort: "-fields", pageSize: 1 })).rows;
    expect(mostFields?.name).toBe("Account");
    const refused = await drawn.t.as("VIEWER").send(contract.listPipelines, { query: { sort: "colour" } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("sort")]);
  });

  test("entities without a pipeline are left out of the rows on request, and counted", async () => {
    await savedWhole(drawn.accounts);
    const list = (unmapped: "show" | "hide") =>
      drawn.t.as("VIEWER").call(contract.listPipelines, { query: { unmapped } });
    const [all, folded] = [await list("show"), await list("hide")];
    const unmapped = all.rows.filter(({ pipelineStatus }) => pipelineStatus === "UNMAPPED");
    expect(unmapped.length).toBeGreaterThan(0);
    expect(folded.rows).toEqual(all.rows.filter((row) => !unmapped.includes(row)));
    expect([all.unmapped, folded.unmapped, folded.total]).toEqual([
      unmapped.length,
      unmapped.length,
      all.total - unmapped.length,
    ]);
    expect(folded.summary).toEqual(all.summary);
  });

  test("[SYN-005] a link to one entity gets the page that its row is on, unmapped or not", async () => {
    await savedWhole(drawn.accounts);
    const list = (query: object) => drawn.t.as("VIEWER").call(contract.listPipelines, { query });
    const { rows } = await list({});
    for (const [index, { id }] of rows.entries()) {
      const found = await list({ focus: id, pageSize: 1 });
      expect([found.page, found.rows.map((row) => row.id)]).toEqual([index + 1, [id]]);
      expect((await list({ focus: id, unmapped: "hide" })).rows.map((row) => row.id)).toContain(id);
    }
    const elsewhere = { focus: "0123456789abcdef01234567" };
    const refused = await drawn.t.as("VIEWER").send(contract.listPipelines, { query: elsewhere });
    expect(refused.status).toBe(404);
    // Among the rows there is nothing of it: the page is the one that was asked for.
    const [first] = rows;
    const others = await list({ focus: first?.id, search: "no such name", page: 2 });
    expect([others.page, others.rows]).toEqual([2, []]);
  });

  test("[SYN-134] [SYN-145] settings and merge policy survive; the realtime switch rests while published", async () => {
    const params = { entityId: drawn.accounts };
    const patch = (body: object) => drawn.t.as("SYNC_MANAGER").send(contract.patchPipelineSettings, { params, body });
    const mergeConfig = { retainFields: ["name"], dependentPicklists: [] };
    expect((await patch({ realtimePipeline: true, mergeConfig })).status).toBe(200);
    expect(await drawn.t.as("VIEWER").call(contract.getPipeline, { params })).toMatchObject({
      mergeConfig,
      settings: { realtimePipeline: true },
    });
    const draft = await savedWhole(drawn.accounts);
    await publish(drawn.accounts, draft.revision);
    expect((await patch({ realtimePipeline: false })).status).toBe(409);
    // Each setting by itself: the others stay as they are.
    expect((await patch({ testBeforePublish: true })).status).toBe(200);
    expect((await patch({ loggedNodes: ["core"] })).status).toBe(200);
    expect(await drawn.t.as("VIEWER").call(contract.getPipeline, { params })).toMatchObject({
      mergeConfig,
      settings: { realtimePipeline: true, testBeforePublish: true, loggedNodes: ["core"] },
    });
  });

  test("[SYN-145] a merge policy of fields that are not there, or that depend on themselves, is refused by name", async () => {
    const params = { entityId: drawn.accounts };
    const patch = (mergeConfig: object) =>
      drawn.t.as("SYNC_MANAGER").send(contract.patchPipelineSettings, { params, body: { mergeConfig } });
    const pair = (controlling: string, dependent: string) => ({ controlling, dependent });
    const refused = await patch({
      retainFields: ["name", "gone"],
      dependentPicklists: [pair("name", "name"), pair("nothing", "email"), pair("name", "email")],
    });
    expect(refused.status).toBe(400);
    expect((refused.body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      "mergeConfig.retainFields.1",
      "mergeConfig.dependentPicklists.0.dependent",
      "mergeConfig.dependentPicklists.1.controlling",
      "mergeConfig.dependentPicklists.2.dependent",
    ]);
    const stored = { retainFields: ["name"], dependentPicklists: [pair("name", "email")] };
    expect((await patch(stored)).status).toBe(200);
    expect((await drawn.t.as("VIEWER").call(contract.getPipeline, { params })).mergeConfig).toEqual(stored);
  });
});

describe("the editor's lookups", () => {
  test("[SYN-132] tokens of an unsaved graph, grouped", async () => {
    const draft = await draftOf(drawn.accounts);
    const graph = wholeGraph(draft.graph.nodes[0]!);
    const { groups } = await drawn.t.as("VIEWER").call(lookUpTokens, {
      params: { nodeId: "set" },
      body: { entityId: drawn.accounts, nodes: graph.nodes, edges: graph.edges },
    });
    expect(groups.map((group) => group.group)).toEqual([
      "Previous node",
      "Functions",
      "Core fields",
      "Source fields",
      "Records at nodes",
      "System",
    ]);
    expect(groups[3]?.tokens.map((token) => token.token)).toContain("CRM.company.mail");
  });

  test("[SYN-132] tokens of an unsaved lookup are the fields of the entity that it names", async () => {
    const draft = await draftOf(drawn.accounts);
    const { nodes, edges } = wholeGraph(draft.graph.nodes[0]!);
    const asLookup = nodes.map((one) =>
      one.apiName === "upperCase" ? { ...one, apiName: "lookupRecord", configuration: { entity: "Account" } } : one,
    );
    const { groups } = await drawn.t.as("VIEWER").call(lookUpTokens, {
      params: { nodeId: "set" },
      body: { entityId: drawn.accounts, nodes: asLookup, edges },
    });
    const tokens = groups.find(({ group }) => group === "Lookups")?.tokens.map(({ token }) => token) ?? [];
    expect(tokens.some((token) => /^Value From .*\.name$/i.test(token))).toBe(true);
  });

  test("[SYN-139] functions and actions of a graph are those that its nodes use", async () => {
    await savedWhole(drawn.accounts);
    const params = { entityId: drawn.accounts, graphVersion: "draft" as const };
    const { functions, actions } = await drawn.t.as("VIEWER").call(getGraphPalette, { params });
    expect([functions.map(({ name }) => name).sort(), actions]).toEqual([["setValue", "upperCase"], []]);
  });

  test("[SYN-131] picklist fields behind a node come with their values, on demand with what they depend on", async () => {
    const saved = await savedWhole(drawn.accounts);
    const core = saved.graph.nodes.find((one) => one.nodeType === "CORE_ENTITY")!;
    const mergeConfig = { retainFields: [], dependentPicklists: [{ controlling: "industry", dependent: "status" }] };
    const params = { entityId: drawn.accounts };
    await drawn.t.as("SYNC_MANAGER").call(contract.patchPipelineSettings, { params, body: { mergeConfig } });
    const values = async (query: object, nodeId = core.id) =>
      (await drawn.t.as("VIEWER").call(getNodePicklistValues, { params: { ...params, nodeId }, query })).fields;
    const all = await values({});
    expect(all.map(({ apiName }) => apiName)).toEqual(["status"]);
    expect(all[0]).toEqual({
      apiName: expect.any(String),
      displayName: expect.any(String),
      values: expect.arrayContaining([{ id: expect.any(String), label: expect.any(String) }]),
    });
    const one = { dependantType: "field", dependantId: "status", sendPicklistGroup: "true" };
    expect(await values(one)).toMatchObject([{ apiName: "status", group: "industry" }]);
    const depending = await values({ dependantType: "controlling", dependantId: "industry" });
    expect(depending.map(({ apiName }) => apiName)).toEqual(["status"]);
    expect(await values({}, "crm")).toEqual([]);
    const query = {};
    const unknown = await drawn.t
      .as("VIEWER")
      .send(getNodePicklistValues, { params: { ...params, nodeId: "no-such-node" }, query });
    expect(unknown.status).toBe(404);
  });

  test("[SYN-063] [SYN-139] the palette differs between entity and field pipelines", async () => {
    const at = (level: "entity" | "field") =>
      drawn.t.as("VIEWER").call(getPipelinePalette, { params: { entityId: drawn.accounts }, query: { level } });
    const [entity, field] = [await at("entity"), await at("field")];
    expect(entity.functions.map((one) => one.name)).toContain("advancedAttachRecord");
    expect(field.functions.map((one) => one.name)).not.toContain("advancedAttachRecord");
    expect(entity.functions.find((one) => one.name === "predicate")).toMatchObject({
      label: "Decision",
      edgeTypes: ["true", "false"],
    });
  });

  test("a connector and a field in use are told to those who would delete them", async () => {
    await savedWhole(drawn.accounts);
    const { uses } = await drawn.t
      .as("VIEWER")
      .call(listEntityUses, { params: { entityId: drawn.accounts }, query: {} });
    expect(uses).toContainEqual(expect.objectContaining({ kind: "pipeline", name: "Pipeline Account (draft)" }));
  });
});
