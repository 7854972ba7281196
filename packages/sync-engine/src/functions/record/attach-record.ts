/** Attach record: finds the core record that a new source record belongs to. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { Predicate, type Condition, type Operand } from "@accord/contracts/data/predicate";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { compilePredicate, isBlank } from "@accord/expressions";
import { conditionIssues } from "../kinds/condition.ts";
import { type FunctionDefinition, input, type InputIssue, type NodeContext } from "../define.ts";
import { addAttach, type AttachIntent, type FlowRecord } from "../flow.ts";
import type { RunEnv } from "../run-env.ts";
import { tokenReader } from "../tokens/tokens.ts";

const INPUT = "attachPredicate";

/** One way to find candidates: core records whose field equals one of the page's keys. */
export interface AttachLookup {
  field: string;
  keyIndex: number;
  /** Further texts that have to be equal too, so that fewer records are loaded to be judged. */
  also?: readonly { field: string; keyIndex: number }[];
}

export interface CompiledAttach {
  nodeId: string;
  /** Candidates are the union of what these find; `matches` decides. */
  equalities: readonly AttachLookup[];
  matches(intent: AttachIntent, candidate: Values): boolean;
}

const keyToken = (index: number): string => `key ${index}`;
const isKey = (operand: Operand): boolean => operand.kind !== "literal";

/** A literal that is blank can't be meant to join records either. */
const isGuarded = (operand: Operand): boolean =>
  operand.kind === "token" || (operand.kind === "literal" && isBlank(operand.value));

/** The predicate with every right side that comes from the incoming record replaced by a numbered key. */
function withKeys(predicate: Predicate, keys: Operand[]): Predicate {
  if (predicate.type === "group")
    return { ...predicate, children: predicate.children.map((child) => withKeys(child, keys)) };
  const right = predicate.right.map((operand): Operand => {
    if (!isKey(operand)) return operand;
    keys.push(operand);
    return { kind: "token", token: keyToken(keys.length - 1) };
  });
  const guards = right.flatMap((operand): Condition[] =>
    isGuarded(operand) ? [{ type: "condition", left: operand, operator: "isNotBlank", right: [] }] : [],
  );
  // A blank on the right never matches anything, whatever the operator.
  return guards.length === 0
    ? predicate
    : { type: "group", combinator: "and", children: [...guards, { ...predicate, right }] };
}

/** Lookups that together find every record the predicate can hold for; null when none can be used. */
function lookupsOf(predicate: Predicate): AttachLookup[] | null {
  if (predicate.type === "condition") {
    const [right] = predicate.right;
    const found = right?.kind === "token" ? /^key (\d+)$/.exec(right.token) : null;
    if (!found || predicate.operator !== "equals" || predicate.left.kind !== "field") return null;
    return [{ field: predicate.left.field, keyIndex: Number(found[1]) }];
  }
  const children = predicate.children.map(lookupsOf);
  if (predicate.combinator === "and") return narrowed(children.filter((child) => child !== null));
  return children.length > 0 && children.every((child) => child !== null) ? children.flat() : null;
}

/** The first of several that all have to hold, with the others that are single equalities beside it. */
function narrowed([first, ...others]: readonly AttachLookup[][]): AttachLookup[] | null {
  if (!first) return null;
  const singles = others.flatMap(([lookup, ...more]) => (lookup && more.length === 0 ? partsOf(lookup) : []));
  return singles.length === 0
    ? first
    : first.map((lookup) => ({ ...lookup, also: [...(lookup.also ?? []), ...singles] }));
}

const partsOf = ({ also = [], ...own }: AttachLookup): NonNullable<AttachLookup["also"]> => [own, ...also];

/** Only texts narrow: storage compares them as conditions do. Values of lists and of secret fields stand there otherwise. */
function narrowedByTexts(lookup: AttachLookup, { coreFields }: NodeContext): AttachLookup {
  const { also = [], ...own } = lookup;
  const texts = also.filter(({ field }) => {
    const shape = coreFields.get(field);
    return shape?.dataType === "string" && !shape.isMultiValueField;
  });
  return texts.length === 0 ? own : { ...own, also: texts };
}

const check = (configuration: Readonly<Record<string, unknown>>, fields: readonly FieldSchema[]): InputIssue[] =>
  matchFaults(configuration[INPUT], INPUT, fields);

/** What keeps a rule between incoming and stored records from being used. */
export function matchFaults(held: unknown, inputName: string, fields: readonly FieldSchema[]): InputIssue[] {
  const faults = conditionIssues(held, inputName, fields);
  if (faults.length > 0) return faults;
  if (lookupsOf(withKeys(Predicate.parse(held), [])) === null)
    return [
      {
        input: inputName,
        reason: nodeSettings.compareByEquals,
      },
    ];
  return [];
}

/** A predicate between an incoming record and stored ones, ready to ask for candidates and to judge them. */
export interface CompiledMatch extends CompiledAttach {
  /** The values of the incoming record that candidates are compared with. */
  keysOf(record: FlowRecord, env: RunEnv): Value[];
}

/** Compiles an attach or duplicate rule: fields on the left are the stored record's, everything on the right the incoming one's. */
export function compileMatch(held: Predicate, context: NodeContext): CompiledMatch {
  const keys: Operand[] = [];
  const predicate = withKeys(held, keys);
  const readers = keys.map((operand) => keyReader(operand, context));
  type Pair = { intent: AttachIntent; candidate: Values };
  const compiled = compilePredicate<Pair>(
    predicate,
    {
      field: (name) => context.coreFields.get(name),
      hasToken: (token) => token.startsWith("key "),
      timeZone: context.timeZone,
    },
    {
      field: (name) => (pair) => pair.candidate[name],
      token: (token) => {
        const index = Number(token.slice("key ".length));
        return (pair) => pair.intent.keys[index];
      },
    },
  );
  // A page's intents share their moment, so the test is made once a page.
  let now = 0;
  let test = compiled.at(now);
  return {
    nodeId: context.nodeId,
    equalities: (lookupsOf(predicate) ?? []).map((lookup) => narrowedByTexts(lookup, context)),
    keysOf: (record, env) => readers.map((read) => read(record, env)),
    matches: (intent, candidate) => {
      if (intent.now !== now) {
        now = intent.now;
        test = compiled.at(now);
      }
      return test({ intent, candidate });
    },
  };
}

/** What the engine needs to resolve the attach rule of one node. */
export const compileAttachRule = (
  configuration: Readonly<Record<string, unknown>>,
  context: NodeContext,
): CompiledAttach => compileMatch(Predicate.parse(configuration[INPUT]), context);

function keyReader(operand: Operand, context: NodeContext): (record: FlowRecord, env: RunEnv) => Value {
  if (operand.kind === "field") return (record) => record.values[operand.field] ?? null;
  const read = operand.kind === "token" ? tokenReader(operand.token, context) : null;
  return (record, env) => read?.(record, env) ?? null;
}

const byEmail = {
  type: "condition",
  left: { kind: "field", field: "Name" },
  operator: "equals",
  right: [{ kind: "token", token: "previous.values.Name" }],
};

export const advancedAttachRecord: FunctionDefinition = {
  name: "advancedAttachRecord",
  label: "Attach record",
  family: "record",
  summary: "Joins a new source record to the existing record that the condition finds, instead of making another one.",
  levels: ["entity"],
  sourceSideOnly: true,
  inputs: [
    input({
      name: INPUT,
      label: "Match when",
      datatype: "predicate",
      required: true,
      hideTokenPicker: true,
      helpText:
        "Left: a field of existing records. Right: a value of the incoming record. Blank on the right never matches; of several matches the oldest wins.",
    }),
  ],
  edgeTypes: null,
  output: null,
  check,
  compile: (configuration, context) => {
    const { keysOf, equalities } = compileMatch(Predicate.parse(configuration[INPUT]), context);
    return (page, env) => {
      for (const record of page) {
        if (record.failure) continue;
        const values = keysOf(record, env);
        if (equalities.some(({ keyIndex }) => !isBlank(values[keyIndex])))
          addAttach(record, { nodeId: context.nodeId, keys: values, now: env.now });
      }
      return "default";
    };
  },
  examples: [
    {
      says: "the record goes on with what it will look for",
      config: { [INPUT]: byEmail },
      record: { values: { Name: "Acme" } },
      route: "default",
      values: { Name: "Acme" },
    },
    {
      says: "a blank looks for nothing",
      config: { [INPUT]: byEmail },
      record: { values: { Name: "" } },
      route: "default",
      values: { Name: "" },
    },
    {
      says: "fields on the right are those of the incoming record",
      config: { [INPUT]: { ...byEmail, right: [{ kind: "field", field: "Name" }] } },
      record: { values: { Name: "Acme" } },
      route: "default",
    },
    {
      says: "a missing value looks for nothing either",
      config: { [INPUT]: byEmail },
      record: { values: {} },
      route: "default",
      values: {},
    },
  ],
};
