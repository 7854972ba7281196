/** Publishing through the API: what is refused, what runs from then on, versions and clones. */
import {
  getPipelineVersion,
  comparePipelineVersions,
  listPipelineVersions,
  restorePipelineVersion,
} from "@accord/contracts/sync/pipeline-versions";
import { createCustomAction, deleteCustomAction } from "@accord/contracts/sync/actions";
import { Graph } from "@accord/contracts/sync/graph";
import * as contract from "@accord/contracts/sync/pipelines";
import { describe, expect, test } from "vitest";
import type { Module } from "../../../../platform/module.ts";
import type { PipelineRuns, PipelineService } from "../index.ts";
import { pipelineDrafts } from "../../../../../test-kit/pipeline-drafts.ts";
import { edge, node } from "../../../../../test-kit/graphs.ts";

const drawn = pipelineDrafts();
const { draftOf, savedWhole, publish } = drawn;

describe("publishing", () => {
  test("an invalid draft can't be published by the API either", async () => {
    const draft = await draftOf(drawn.accounts);
    const answer = await publish(drawn.accounts, draft.revision);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: "pipeline_invalid",
      details: { problems: [{ code: "source_missing" }] },
    });
    const params = { entityId: drawn.accounts, graphVersion: "published" as const };
    expect((await drawn.t.as("VIEWER").send(contract.getPipelineGraph, { params })).status).toBe(404);
  });

  test("validation lists each problem with its node and what to do", async () => {
    const draft = await savedWhole(drawn.accounts);
    const nodes = draft.graph.nodes.map((one) =>
      one.id === "set" ? { ...one, configuration: { field: "nope", value: "{{nobody}}" } } : one,
    );
    const params = { entityId: drawn.accounts };
    const checked = await drawn.t
      .as("VIEWER")
      .call(contract.validatePipeline, { params, body: { graph: { ...draft.graph, nodes } } });
    expect(checked.publishable).toBe(false);
    expect(checked.problems.map((problem) => [problem.code, problem.nodeId])).toEqual([
      ["input_invalid", "set"],
      ["token_unknown", "set"],
    ]);
    expect(checked.problems[0]?.errorMessage).toBe("set: Field: There is no field nope. Choose another one.");
    expect((await drawn.t.as("VIEWER").call(contract.validatePipeline, { params, body: {} })).problems).toEqual([]);
  });

  test("a draft whose custom action was deleted, or lacks a required variable, is refused; what was published runs on", async () => {
    const user = drawn.t.as("SYNC_MANAGER");
    const body = {
      displayName: "Notify billing",
      apiName: `notify_${drawn.t.deps.newId()}`,
      endpoint: "https://billing.example/notify",
      body: '{"name": "{{who}}"}',
      variables: [{ name: "who", required: true }],
    };
    const action = await user.call(createCustomAction, { body });
    const params = { entityId: drawn.accounts };
    const saveNotifying = async (variables: object) => {
      const { graph, revision } = await savedWhole(drawn.accounts);
      const core = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
      const nodes = [...graph.nodes, node("notify", "ACTION", { actionId: action.id, variables }, "customAction")];
      const edges = [...graph.edges, edge(core.id, "notify")];
      return user.call(contract.savePipelineDraft, {
        params,
        body: { graph: Graph.parse({ nodes, edges }), revision },
      });
    };
    const empty = await publish(drawn.accounts, (await saveNotifying({})).revision);
    expect(empty.status).toBe(422);
    expect(empty.body).toMatchObject({
      code: "pipeline_invalid",
      details: {
        problems: [
          { code: "custom_action_variable_missing", nodeId: "notify", targetId: "variables.who", severity: "error" },
        ],
      },
    });
    const filled = await saveNotifying({ who: "Ann" });
    expect(await publish(drawn.accounts, filled.revision)).toMatchObject({ status: 200 });

    await user.call(deleteCustomAction, { params: { actionId: action.id }, query: { confirmed: "true" } });
    const again = await draftOf(drawn.accounts);
    expect(await user.call(contract.validatePipeline, { params, body: {} })).toMatchObject({
      publishable: false,
      problems: [{ code: "custom_action_unknown", nodeId: "notify" }],
    });
    const refused = await publish(drawn.accounts, again.revision, "Second");
    expect(refused.body).toMatchObject({
      code: "pipeline_invalid",
      details: { problems: [{ code: "custom_action_unknown", nodeId: "notify", targetId: "actionId" }] },
    });
    const { service } = drawn.t.module<Module & { service: PipelineService }>("sync/pipelines");
    expect(await service.publishedVersion(drawn.t.instanceId, drawn.accounts)).toMatchObject({ name: "First" });
  });

  test("[SYN-091] a published draft is approved, frozen and told to the engine", async () => {
    const told: unknown[] = [];
    const engine: PipelineRuns = {
      published: async (change) => void told.push(change),
      unpublished: async (change) => void told.push(change),
      states: async () => [],
    };
    const { service } = drawn.t.module<Module & { service: PipelineService }>("sync/pipelines");
    service.connectRuns(engine);
    const draft = await savedWhole(drawn.accounts);
    expect((await publish(drawn.accounts, draft.revision - 1)).status).toBe(409);
    const { status, body } = await publish(drawn.accounts, draft.revision);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "APPROVED",
      graphVersion: "published",
      versionNumber: 1,
      versionName: "First",
      hasDraft: false,
      readOnly: true,
    });
    expect(told).toMatchObject([{ entityId: drawn.accounts, bringInExisting: true }]);
    expect(await service.publishedVersion(drawn.t.instanceId, drawn.accounts)).toMatchObject({
      number: 1,
      graph: { nodes: draft.graph.nodes },
    });
    const params = { entityId: drawn.accounts };
    for (const graphVersion of ["published", "approved"] as const)
      expect(
        (await drawn.t.as("VIEWER").call(contract.getPipelineGraph, { params: { ...params, graphVersion } }))
          .graphVersion,
      ).toBe("published");
    await drawn.t.as("SYNC_MANAGER").call(contract.deletePublishedPipeline, { params });
    expect(told).toHaveLength(2);
    expect(await service.publishedVersion(drawn.t.instanceId, drawn.accounts)).toBeNull();
  });

  test("[SYN-136] versions are listed, opened, compared setting by setting and restored into the draft", async () => {
    const first = await savedWhole(drawn.accounts);
    await publish(drawn.accounts, first.revision);
    const second = await draftOf(drawn.accounts);
    expect(second.status).toBe("DRAFT");
    const params = { entityId: drawn.accounts };
    const fewer = {
      ...second.graph,
      nodes: second.graph.nodes.map((one) =>
        one.id === "upper"
          ? {
              ...one,
              description: "changed",
              configuration: { ...one.configuration, value: "no token" },
            }
          : one,
      ),
    };
    const saved = await drawn.t
      .as("SYNC_MANAGER")
      .call(contract.savePipelineDraft, { params, body: { graph: fewer, revision: second.revision } });
    await publish(drawn.accounts, saved.revision, "Second");
    const { versions } = await drawn.t.as("VIEWER").call(listPipelineVersions, { params });
    expect(versions.map(({ number, name, current }) => [number, name, current])).toEqual([
      [2, "Second", true],
      [1, "First", false],
    ]);
    const opened = await drawn.t
      .as("VIEWER")
      .call(getPipelineVersion, { params: { ...params, versionId: versions[1]!.id } });
    expect(opened.graph).toEqual(first.graph);
    const [newer, older] = versions;
    const compared = await drawn.t.as("VIEWER").call(comparePipelineVersions, {
      params: { ...params, versionId: older!.id, otherVersionId: newer!.id },
    });
    const before = first.graph.nodes.find(({ id }) => id === "upper")?.configuration["value"] ?? null;
    expect(compared).toMatchObject({ before: older, after: newer, added: [], removed: [], addedEdges: [] });
    expect(compared.changed).toEqual([
      {
        nodeId: "upper",
        label: first.graph.nodes.find(({ id }) => id === "upper")?.label,
        aspects: ["description", "settings"],
        settings: [{ name: "value", before, after: "no token" }],
      },
    ]);
    const stranger = { ...params, versionId: older!.id, otherVersionId: "0123456789abcdef01234567" };
    expect((await drawn.t.as("VIEWER").send(comparePipelineVersions, { params: stranger })).status).toBe(404);
    const restored = await drawn.t
      .as("SYNC_MANAGER")
      .call(restorePipelineVersion, { params: { ...params, versionId: versions[1]!.id }, body: {} });
    expect(restored.graph).toEqual(first.graph);
    expect((await drawn.t.as("VIEWER").call(contract.getPipeline, { params })).pipelineStatus).toBe(
      "PUBLISHED_WITH_DRAFT",
    );
  });

  test("notes are kept in draft and version, keep nothing from being published, and say what changed", async () => {
    const params = { entityId: drawn.accounts };
    const saved = await savedWhole(drawn.accounts);
    const notes = [
      {
        id: "a-note",
        text: "Ask Kim first",
        color: "red" as const,
        location: { x: 10, y: 20 },
        width: 300,
        height: 90,
      },
    ];
    const noted = await drawn.t.as("SYNC_MANAGER").call(contract.savePipelineDraft, {
      params,
      body: { graph: { ...saved.graph, notes }, revision: saved.revision },
    });
    expect(noted.graph.notes).toEqual(notes);
    const found = await drawn.t.as("SYNC_MANAGER").call(contract.validatePipeline, { params, body: {} });
    expect(found.problems.filter(({ severity }) => severity === "error")).toEqual([]);
    await publish(drawn.accounts, noted.revision);
    const [version] = (await drawn.t.as("VIEWER").call(listPipelineVersions, { params })).versions;
    const versionParams = { ...params, versionId: version!.id };
    const opened = await drawn.t.as("VIEWER").call(getPipelineVersion, { params: versionParams });
    expect(opened.graph.notes).toEqual(notes);
    const draft = await draftOf(drawn.accounts);
    const [note] = draft.graph.notes;
    const changed = { ...draft.graph, notes: [{ ...note!, text: "Ask Lee first" }] };
    const again = await drawn.t
      .as("SYNC_MANAGER")
      .call(contract.savePipelineDraft, { params, body: { graph: changed, revision: draft.revision } });
    await publish(drawn.accounts, again.revision, "Second");
    const [newer] = (await drawn.t.as("VIEWER").call(listPipelineVersions, { params })).versions;
    const compared = await drawn.t
      .as("VIEWER")
      .call(comparePipelineVersions, { params: { ...versionParams, otherVersionId: newer!.id } });
    expect(compared.changedNotes.map(({ before, after }) => [before.text, after.text])).toEqual([
      ["Ask Kim first", "Ask Lee first"],
    ]);
    expect(compared.changed).toEqual([]);
  });

  test("[SYN-104] a clone is a new entity whose draft equals its origin", async () => {
    const draft = await savedWhole(drawn.accounts);
    const clone = (name?: string) =>
      drawn.t.as("SYNC_MANAGER").call(contract.clonePipeline, {
        params: { entityId: drawn.accounts },
        body: { version: "draft", ...(name === undefined ? {} : { name }) },
      });
    const [one, two] = [await clone(), await clone()];
    const row = await drawn.t.as("VIEWER").call(contract.getPipeline, { params: { entityId: two.entityId } });
    expect(row).toMatchObject({ name: "Account copy 1", pipelineStatus: "DRAFT" });
    expect([one.name, two.name]).toEqual(["Account copy", "Account copy 1"]);
    const named = [await clone("Partner"), await clone("partner")];
    expect(named.map(({ name }) => name)).toEqual(["Partner", "partner 1"]);
    const refused = await drawn.t.as("SYNC_MANAGER").send(contract.clonePipeline, {
      params: { entityId: drawn.accounts },
      body: { version: "draft", name: "  " },
    });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("name")]);
    const params = { entityId: one.entityId, graphVersion: "draft" as const };
    const copy = await drawn.t.as("VIEWER").call(contract.getPipelineGraph, { params });
    expect(copy.graph.edges).toEqual(draft.graph.edges);
    expect(copy.graph.nodes.find((held) => held.nodeType === "CORE_ENTITY")?.label).toBe("Account copy");
  });
});
