/** Use cases of nodes that are configured in steps: the core entity node, by what its graph and systems offer. */
import type { Id } from "@accord/contracts";
import { InputDefinition } from "@accord/contracts/config/inputs";
import { syncConfigure } from "@accord/contracts/messages/en/sync/configure";
import { fill } from "@accord/contracts/messages/fill";
import { CoreConfiguration, type GraphNode, type NodeConfiguration } from "@accord/contracts/sync/graph";
import { AUTHORITIES, CHOSEN_BY, FIELD_POLICIES } from "@accord/contracts/sync/matching";
import { NodeStep } from "@accord/contracts/sync/node-steps";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { changeNode, isSource, nodeTitle } from "@accord/sync-engine/graph";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { PipelineCore } from "./pipeline-core.ts";
import { readDraftGraph } from "./pipelines.store.ts";

const { configure, duplicates, steps: words } = syncConfigure;

type Draft = Parameters<typeof InputDefinition.parse>[0];
const whenDuplicates = { visibilityDependsOnFieldValue: { field: "deduplicate", value: true } };
const whenAuthority = (value: string) => ({ visibilityDependsOnFieldValue: { field: "authority", value } });
const at = (configKey: string) => ({ mapping: { graphKey: "configuration", configKey } });

export function nodeStepCases(core: PipelineCore) {
  return {
    async nodeSteps(
      ctx: Caller,
      { entityId, nodeId }: { entityId: Id<"entity">; nodeId: string },
      { nodes, stepId }: { nodes: readonly GraphNode[]; stepId?: string | undefined },
    ): Promise<{ steps: NodeStep[]; inputs: InputDefinition[] }> {
      await core.entityOf(ctx.instanceId, entityId);
      const node = nodes.find(({ id }) => id === nodeId);
      if (!node) throw new AppError("not_found", { what: "Node" });
      if (node.nodeType !== "CORE_ENTITY") return { steps: [], inputs: [] };
      const steps = coreSteps(node, ctx.can("WRITE_STUDIO"));
      const step = steps.find(({ id }) => id === (stepId ?? steps[0]?.id));
      if (!step) throw new AppError("not_found", { what: words.step });
      const connectors = await core.needs.connectors.listConnectors(ctx.instanceId);
      const used = new Set(nodes.map(({ configuration }) => configuration.connectorId));
      return {
        steps,
        inputs: inputsOf(
          step.id,
          node,
          nodes,
          connectors.filter(({ id }) => used.has(id)),
        ),
      };
    },

    async saveNodeConfiguration(
      ctx: Caller,
      { entityId, nodeId }: { entityId: Id<"entity">; nodeId: string },
      { configuration, revision }: { configuration: NodeConfiguration; revision: number },
    ): Promise<OpenedGraph> {
      await core.entityOf(ctx.instanceId, entityId);
      return core.changeDraft(ctx, entityId, async (head, db) => {
        if (head?.revision !== revision) throw await core.stale(ctx, entityId, head, db);
        const draft = await readDraftGraph(db, ctx.instanceId, entityId);
        if (!draft) throw new AppError("pipeline_read_only");
        if (!draft.nodes.some(({ id }) => id === nodeId)) throw new AppError("not_found", { what: "Node" });
        return changeNode(draft, nodeId, { configuration });
      });
    },
  };
}

/** Whoever may not write only looks. */
function coreSteps({ configuration }: GraphNode, mayWrite: boolean): NodeStep[] {
  const isMerging = looksForDuplicates(configuration);
  const steps: Parameters<typeof NodeStep.parse>[0][] = [
    { id: "authority", title: configure.authority, lead: words.authorityLead },
    { id: "duplicates", title: duplicates.deduplicate, lead: duplicates.deduplicateHint },
    {
      ...{ id: "merge", title: duplicates.winner, lead: isMerging ? "" : words.mergeNone },
      ...{ layout: "horizontal", buttons: { next: words.review } },
    },
    {
      id: "review",
      title: words.review,
      buttons: { finish: words.apply },
      closeOnly: !mayWrite,
      footer: mayWrite ? words.reviewFooter : null,
    },
  ];
  return steps.map((step) => NodeStep.parse(step));
}

const looksForDuplicates = (configuration: NodeConfiguration): boolean =>
  CoreConfiguration.safeParse(configuration).data?.deduplicate === true;

type System = Readonly<{ id: string; name: string }>;

function inputsOf(
  stepId: string,
  node: GraphNode,
  nodes: readonly GraphNode[],
  systems: readonly System[],
): InputDefinition[] {
  switch (stepId) {
    case "authority":
      return authorityInputs(nodes).map((input) => InputDefinition.parse(input));
    case "duplicates":
      return duplicateInputs().map((input) => InputDefinition.parse(input));
    case "merge":
      return (looksForDuplicates(node.configuration) ? mergeInputs(systems) : []).map((input) =>
        InputDefinition.parse(input),
      );
    default:
      return [];
  }
}

function authorityInputs(nodes: readonly GraphNode[]): Draft[] {
  const values = nodes.filter(isSource).map((node) => ({ id: node.id, label: nodeTitle(node) }));
  const sources = { values, dynamicConfig: true, required: true };
  return [
    {
      ...{ name: "authority", label: configure.authority, datatype: "picklist", required: true },
      ...at("authority"),
      values: AUTHORITIES.map((id) => ({ id, label: configure[`authority${id}`] })),
    },
    {
      ...{ name: "selectedSource", label: configure.selectedSource, datatype: "picklist" },
      ...{ ...at("selectedSource"), ...sources, ...whenAuthority("SELECTED") },
    },
    {
      ...{ name: "ranking", label: configure.ranking, helpText: words.rankingHint, datatype: "multiselect" },
      ...{ ...at("ranking"), ...sources, ...whenAuthority("RANKED") },
    },
    {
      ...{ name: "rejectEmptyValues", label: configure.rejectEmpty, helpText: configure.rejectEmptyHint },
      ...{ datatype: "boolean", defaultValue: true, ...at("rejectEmptyValues") },
    },
  ];
}

const duplicateInputs = (): Draft[] => [
  {
    ...{ name: "deduplicate", label: duplicates.deduplicate, helpText: duplicates.deduplicateHint },
    ...{ datatype: "boolean", ...at("deduplicate") },
  },
  {
    ...{ name: "match", label: duplicates.match, helpText: duplicates.matchHint, datatype: "predicate" },
    ...{ required: true, ...at("merge.match"), ...whenDuplicates },
  },
  {
    ...{ name: "reportOnly", label: duplicates.reportOnly, helpText: duplicates.reportOnlyHint },
    ...{ datatype: "boolean", ...at("merge.reportOnly"), ...whenDuplicates },
  },
  {
    ...{ name: "maxDuplicates", label: duplicates.max, helpText: duplicates.maxHint, datatype: "integer" },
    ...{ required: true, ...at("merge.maxDuplicates"), ...whenDuplicates },
  },
  {
    ...{ name: "skipWhen", label: duplicates.skipWhen, helpText: duplicates.skipWhenHint, datatype: "predicate" },
    ...{ ...at("merge.skipWhen"), ...whenDuplicates },
  },
];

const RULES = ["mostComplete", "oldest", "newest"] as const;

const chosenBy = (name: "winnerBy" | "valuesBy"): Draft => ({
  ...{ name, label: duplicates[name], datatype: "picklist", defaultValue: "conditions", ...at(`merge.${name}`) },
  values: CHOSEN_BY.map((id) => ({ id, label: duplicates[`by_${id}`] })),
});
const codeOf = (name: "winnerCode" | "valuesCode", field: string): Draft => ({
  ...{ name, label: duplicates[name], helpText: duplicates[`${name}Hint`], datatype: "textarea", renderType: "code" },
  ...{ hideTokenPicker: true, ...at(`merge.${name}`), visibilityDependsOnFieldValue: { field, value: "code" } },
});

const mergeInputs = (systems: readonly System[]): Draft[] => [
  chosenBy("winnerBy"),
  codeOf("winnerCode", "winnerBy"),
  {
    ...{ name: "winner", label: duplicates.winner, helpText: duplicates.winnerHint },
    ...{ datatype: "composite", repeatable: true, ...at("merge.winner") },
    // Not set is the same as conditions.
    visibilityDependsOnFieldValue: { field: "winnerBy", pattern: "^(conditions)?$" },
  },
  {
    ...{ name: "rule", label: duplicates.rule, datatype: "picklist", fieldSet: "winner", dynamicConfig: true },
    values: [
      ...RULES.map((id) => ({ id: String(id), label: duplicates[`rule_${id}`] })),
      ...systems.map(({ id, name }) => ({ id: `hasExternalId:${id}`, label: fill(duplicates.rule_known, { name }) })),
    ],
  },
  chosenBy("valuesBy"),
  codeOf("valuesCode", "valuesBy"),
  {
    ...{ name: "fields", label: duplicates.fields, helpText: duplicates.fieldsHint },
    ...{ datatype: "composite", repeatable: true, ...at("merge.fields") },
  },
  { name: "field", label: duplicates.field, datatype: "picklist", renderType: "coreField", fieldSet: "fields" },
  {
    ...{ name: "policy", label: duplicates.policy, datatype: "picklist", fieldSet: "fields" },
    values: FIELD_POLICIES.map((id) => ({ id, label: duplicates[`policy_${id}`] })),
  },
];
