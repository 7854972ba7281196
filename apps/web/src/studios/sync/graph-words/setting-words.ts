/** The settings of a node in words, each with its label: what documentation lists and a comparison sets side by side. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import {
  CoreConfiguration,
  FieldMapping,
  type GraphGroup,
  type GraphNode,
  SinkConfiguration,
} from "@accord/contracts/sync/graph";
import { type FieldAuthority, FIELD_POLICIES } from "@accord/contracts/sync/matching";
import { nodeKind } from "../pipeline-editor/canvas/canvas.model.ts";
import { conditionWords, fieldName, withNames } from "../pipeline-editor/cards/card-summary.ts";
import { duplicatesForm } from "../pipeline-editor/node-forms/core-options.model.ts";
import type { GraphWords, Setting } from "./graph-words.ts";
import { caseSettings, operandWords, rowWords } from "./row-words.ts";
import { sourceForm } from "../pipeline-editor/node-forms/source-options.model.ts";

/** Stands for values that nobody reads back. */
export const SECRET = "••••••";

const SINK_SWITCHES = ["create", "update", "delete", "recreate", "onlyChangedFields"] as const;

/** Keys that have words of their own; every other key is said as its function defines it. */
const SPOKEN: Readonly<Record<string, readonly string[]>> = {
  source: [
    "fieldMappings",
    "schedule",
    "scheduleSeconds",
    "readMode",
    "acceptDeletes",
    "findDeletesMinutes",
    "mostMissingPercent",
  ],
  sink: ["fieldMappings", "matchOn", ...SINK_SWITCHES],
  core: Object.keys(CoreConfiguration.shape),
};
const OF_A_SYSTEM = ["connectorId", "entityDefinition"];

/** Without those that are blank. Labels are unique within a node. */
export function settingsOf(node: GraphNode, words: GraphWords): Setting[] {
  const kind = nodeKind(node);
  const isPlace = kind === "source" || kind === "sink";
  const own = [
    ...(isPlace ? systemSettings(node, words) : []),
    ...(kind === "source" ? sourceSettings(node, words) : []),
    ...(kind === "sink" ? sinkSettings(node, words) : []),
    ...(kind === "core" ? coreSettings(node, words) : []),
  ];
  const spoken = [...(SPOKEN[kind] ?? []), ...(isPlace ? OF_A_SYSTEM : [])];
  const others = Object.keys(node.configuration).filter((key) => !spoken.includes(key));
  return [...own, ...others.flatMap((key) => otherSettings(node, key, words))].filter(({ value }) => value !== "");
}

export const titleOfGroup = (group: GraphGroup | undefined): string => (group ? group.label || group.name : "");

const yesNo = (value: boolean, { t }: GraphWords): string => t(value ? "words.yes" : "words.no");

function systemSettings(node: GraphNode, words: GraphWords): Setting[] {
  const { connectorId, entityDefinition } = node.configuration;
  return [
    { label: words.t("configure.connector"), value: connectorId ? words.connectorName(connectorId) : "" },
    { label: words.t("configure.entity"), value: node.connectorEntityName || (entityDefinition ?? "") },
    ...mappingOf(node, words).map(({ connectorField, coreField }) => ({
      label: words.t("words.mapping", { field: connectorField }),
      value: coreField,
    })),
  ];
}

/** Rows of the field mapping, core fields by name; a connector's field that goes to several has them in one row. */
export function mappingOf(node: GraphNode, words: GraphWords): { connectorField: string; coreField: string }[] {
  const rows = FieldMapping.array().safeParse(node.configuration["fieldMappings"]).data ?? [];
  const byField = new Map<string, string[]>();
  for (const { connectorField, coreField } of rows)
    byField.set(connectorField, [...(byField.get(connectorField) ?? []), fieldName(coreField, words)]);
  return [...byField].map(([connectorField, names]) => ({ connectorField, coreField: names.join(", ") }));
}

function sourceSettings({ configuration }: GraphNode, words: GraphWords): Setting[] {
  const { t } = words;
  const form = sourceForm(configuration);
  const numberOf = (key: string): string => (typeof form[key] === "number" ? String(form[key]) : "");
  return [
    { label: t("source.kind"), value: scheduleWords(form, words) },
    { label: t("source.single"), value: yesNo(form["isSingle"] === true, words) },
    { label: t("configure.acceptDeletes"), value: yesNo(form["acceptDeletes"] === true, words) },
    { label: t("words.findDeletes"), value: numberOf("findDeletesMinutes") },
    { label: t("words.mostMissing"), value: numberOf("mostMissingPercent") },
  ];
}

/** When a source is read. `form`: its configuration as forms have it. */
export function scheduleWords(form: Record<string, unknown>, { t }: Pick<GraphWords, "t">): string {
  if (form["kind"] === "cron") return `${String(form["expression"])} (${String(form["timeZone"])})`;
  if (form["kind"] !== "interval") return t("source.kind_minute");
  return `${t("source.every")} ${String(form["every"])} ${String(form["unit"])}`;
}

function sinkSettings({ configuration }: GraphNode, words: GraphWords): Setting[] {
  const defaults = SinkConfiguration.parse({ connectorId: "", entityDefinition: "" });
  const matchOn = configuration["matchOn"];
  return [
    ...SINK_SWITCHES.map((name) => ({
      label: words.t(`configure.${name}`),
      value: yesNo(typeof configuration[name] === "boolean" ? configuration[name] : defaults[name], words),
    })),
    {
      label: words.t("configure.matchOn"),
      value: typeof matchOn === "string" && matchOn !== "" ? matchOn : words.t("configure.matchOnNone"),
    },
  ];
}

function coreSettings({ configuration }: GraphNode, words: GraphWords): Setting[] {
  const { t } = words;
  const core = CoreConfiguration.safeParse(configuration).data;
  // What the schema does not take is said as it stands.
  if (!core) return Object.entries(configuration).map(([label, value]) => ({ label, value: valueWords(value, words) }));
  return [
    { label: t("configure.authority"), value: authorityWords(core, words) },
    { label: t("configure.rejectEmpty"), value: yesNo(core.rejectEmptyValues, words) },
    ...(core.rejectEmptyStrings === undefined
      ? []
      : [{ label: t("words.rejectEmptyTexts"), value: yesNo(core.rejectEmptyStrings, words) }]),
    ...Object.entries(core.fieldAuthority).map(([field, rule]) => ({
      label: t("words.fieldAuthority", { field: fieldName(field, words) }),
      value: fieldAuthorityWords(rule, words),
    })),
    ...duplicateSettings(configuration, words),
  ];
}

function authorityWords(rule: FieldAuthority, { t, title }: GraphWords): string {
  const { authority = "NONE", ranking = [], selectedSource } = rule;
  const sources = authority === "RANKED" ? ranking : authority === "SELECTED" && selectedSource ? [selectedSource] : [];
  return [t(`configure.authority${authority}`), sources.map(title).join(", ")].filter(Boolean).join(": ");
}

const fieldAuthorityWords = (rule: FieldAuthority, words: GraphWords): string =>
  [
    rule.authority ? authorityWords(rule, words) : "",
    rule.rejectEmptyValues === undefined
      ? ""
      : words.t(rule.rejectEmptyValues ? "words.keepsValue" : "words.canBeCleared"),
    rule.rejectEmptyStrings === undefined
      ? ""
      : words.t(rule.rejectEmptyStrings ? "words.keepsText" : "words.textCanBeCleared"),
  ]
    .filter(Boolean)
    .join("; ");

function duplicateSettings(configuration: GraphNode["configuration"], words: GraphWords): Setting[] {
  const { t } = words;
  const form = duplicatesForm(configuration);
  const { merge, deduplicate } = CoreConfiguration.parse(configuration);
  if (!deduplicate) return [{ label: t("duplicates.deduplicate"), value: yesNo(false, words) }];
  const winner = merge.winner.map((rule) =>
    rule.rule === "hasExternalId"
      ? t("duplicates.rule_known", { name: words.connectorName(rule.connectorId) })
      : t(`duplicates.rule_${rule.rule}`),
  );
  const policies = FIELD_POLICIES.flatMap((policy) =>
    merge.fields
      .filter((each) => each.policy === policy)
      .map(({ field }) => ({
        label: t("words.mergedField", { field: fieldName(field, words) }),
        value: t(`duplicates.policy_${policy}`),
      })),
  );
  return [
    { label: t("duplicates.deduplicate"), value: yesNo(true, words) },
    { label: t("duplicates.match"), value: conditionWords(form["match"], words) },
    { label: t("duplicates.reportOnly"), value: yesNo(merge.reportOnly, words) },
    { label: t("duplicates.max"), value: String(merge.maxDuplicates) },
    merge.winnerBy === "code"
      ? { label: t("duplicates.winnerCode"), value: merge.winnerCode ?? "" }
      : { label: t("duplicates.winner"), value: winner.join(", ") },
    ...(merge.valuesBy === "code" ? [{ label: t("duplicates.valuesCode"), value: merge.valuesCode ?? "" }] : []),
    ...policies,
    { label: t("duplicates.skipWhen"), value: conditionWords(form["skipWhen"], words) },
  ];
}

function otherSettings(node: GraphNode, key: string, words: GraphWords): Setting[] {
  const value = node.configuration[key];
  const input = words.definition(node.apiName)?.inputs.find(({ name }) => name === key);
  const cases = input?.datatype === "case" && input.repeatable ? caseSettings(value, words) : undefined;
  return cases ?? [{ label: labelOf(key, input), value: valueWords(value, words, input) }];
}

/** What a key is called: as its input is, else in words. */
export const labelOf = (key: string, input: InputDefinition | undefined): string => input?.label ?? inWords(key);

/** `sortBy` is "Sort by". */
const inWords = (key: string): string => {
  const text = key.replaceAll(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** A value of a configuration as people read it; empty where it is blank. */
export function valueWords(value: unknown, words: GraphWords, input?: InputDefinition): string {
  if (value === undefined || value === null || value === "") return "";
  if (input?.secret || input?.datatype === "password") return SECRET;
  const chosen = input?.values?.find(({ id }) => id === value);
  if (chosen) return chosen.label;
  if (input?.renderType === "connector" && typeof value === "string") return words.connectorName(value);
  if (typeof value === "boolean") return yesNo(value, words);
  if (typeof value === "string") return withNames(value, words);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value))
    return value
      .map((item) => rowWords(item, words, input?.renderType) ?? valueWords(item, words))
      .filter(Boolean)
      .join(value.some((item) => typeof item === "object") ? "; " : ", ");
  const operand = operandWords(value, words);
  if (operand !== undefined) return operand;
  const condition = conditionWords(value, words);
  if (condition) return condition;
  return Object.entries(value)
    .map(([key, part]) => [inWords(key), valueWords(part, words)])
    .filter(([, text]) => text !== "")
    .map(([key, text]) => `${key}: ${text}`)
    .join("; ");
}
