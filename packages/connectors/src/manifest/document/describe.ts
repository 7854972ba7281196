/** Says what a manifest is made of: its component types with their counts, what is missing, and which streams need it. */
import type { Values } from "@accord/contracts/data/values";
import { ConnectorError, type TokenKeeper } from "@accord/connector-sdk";
import { makeBuild } from "../components/build.ts";
import { isComponentNode, type ComponentNode } from "../components/node.ts";
import type { Runtime } from "../components/model.ts";
import { describedType } from "../components/registry.ts";
import { withinAllowance } from "../template/budget.ts";
import { inputsOf, type ManifestInput } from "./inputs.ts";
import { parseManifest, type Manifest, type StreamEntry } from "./manifest.ts";

export interface StreamDescription {
  name: string;
  /** Sentences that say why it can't run; empty where it can. */
  problems: string[];
}

export interface ManifestDescription {
  version: string | null;
  description: string | null;
  licence: string | null;
  /** Every component type that is used, most used first. */
  types: { type: string; count: number; isSupported: boolean; streams: string[] }[];
  streams: StreamDescription[];
  inputs: ManifestInput[];
}

interface Use {
  count: number;
  streams: Set<string>;
}

/** What the templates of a manifest may do together while it is looked at: it is saved by people who wait. */
const ALLOWANCE = { steps: 2_000_000, ms: 20_000 };

export const describeManifest = (text: string): ManifestDescription =>
  withinAllowance(ALLOWANCE, () => descriptionOf(parseManifest(text)));

function descriptionOf(manifest: Manifest): ManifestDescription {
  const uses = new Map<string, Use>();
  const streams = manifest.streams.map((entry) => ({ name: entry.name, problems: findProblems(entry, uses) }));
  for (const type of manifest.missing) uses.set(type, { count: 1, streams: new Set() });
  const types = [...uses].map(([type, { count, streams: users }]) => ({
    type,
    count,
    isSupported: describedType(type) !== undefined,
    streams: [...users],
  }));
  return {
    version: manifest.version,
    description: manifest.description,
    licence: manifest.licence,
    types: types.sort((one, other) => other.count - one.count || (one.type < other.type ? -1 : 1)),
    streams,
    inputs: inputsOf(manifest.specification),
  };
}

const known = new WeakMap<ComponentNode, string[]>();

/** Why a stream can't run; empty where it can. */
export function problemsOf(entry: StreamEntry): string[] {
  const found = known.get(entry.component) ?? withinAllowance(ALLOWANCE, () => findProblems(entry, new Map()));
  known.set(entry.component, found);
  return found;
}

/** Missing types, refused options, templates and settings that can't be used. */
function findProblems({ name, component }: StreamEntry, uses: Map<string, Use>): string[] {
  const problems = new Set<string>();
  walk(component, (node) => {
    const use = uses.get(node.type) ?? { count: 0, streams: new Set<string>() };
    uses.set(node.type, { count: use.count + 1, streams: use.streams.add(name) });
    const described = describedType(node.type);
    if (!described) problems.add(`Stream ${name} needs ${node.type}, which is not supported.`);
    for (const option of described?.refuses ?? [])
      if (isGiven(node[option])) problems.add(`Stream ${name}: the option ${option} of ${node.type} is not supported.`);
  });
  if (problems.size === 0) for (const problem of buildProblems(name, component)) problems.add(problem);
  return [...problems];
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

function walk(node: ComponentNode, visit: (node: ComponentNode) => void): void {
  visit(node);
  for (const [name, slot] of Object.entries(describedType(node.type)?.slots ?? {})) {
    const part = node[name];
    const parts = slot.isMap && typeof part === "object" && part !== null ? Object.values(part) : [part].flat();
    for (const one of parts) if (isComponentNode(one)) walk(one, visit);
  }
}

/** A trial: built without inputs, it shows what is wrong whatever they are. */
function buildProblems(name: string, component: ComponentNode): string[] {
  const trial = makeBuild({ stream: name, config: {}, runtime: offlineRuntime(), isTrial: true });
  try {
    trial.make("stream", component);
    for (const parent of parentsOf(component)) trial.make("stream", parent);
    return [];
  } catch (error) {
    if (error instanceof ConnectorError) return [error.message];
    throw error;
  }
}

/** Every parent stream below a stream. */
export function parentsOf(component: ComponentNode): ComponentNode[] {
  const parents: ComponentNode[] = [];
  walk(component, (node) => {
    if (node.type === "ParentStreamConfig" && isComponentNode(node["stream"])) parents.push(node["stream"]);
  });
  return parents;
}

const NOWHERE = {
  now: () => new Date(0),
  signal: new AbortController().signal,
  exchange: async () => {
    throw new ConnectorError("unexpected", "Nothing is sent while a manifest is looked at.");
  },
  tokens: (_: string, make: () => TokenKeeper) => make(),
};

/** A runtime that sends nothing: for what can be found out from the manifest and its inputs alone. */
export const offlineRuntime = (): Runtime => ({ ...NOWHERE, parentPage: async () => ({ records: [], next: null }) });

/** Origins that the streams which can run talk to, with these inputs; a problem where one can't be worked out. */
export const originsOf = (manifest: Manifest, config: Values): Origins =>
  withinAllowance(ALLOWANCE, () => findOrigins(manifest, config));

interface Origins {
  origins: string[];
  problems: string[];
}

function findOrigins(manifest: Manifest, config: Values): Origins {
  const origins = new Set<string>();
  const problems: string[] = [];
  for (const entry of manifest.streams) {
    if (problemsOf(entry).length > 0) continue;
    try {
      for (const component of [entry.component, ...parentsOf(entry.component)])
        makeBuild({
          stream: entry.name,
          config,
          runtime: offlineRuntime(),
          onOrigin: (origin) => origins.add(origin),
        }).make("stream", component);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      problems.push(error.message);
    }
  }
  return { origins: [...origins], problems };
}
