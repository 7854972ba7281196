/** A manifest as it is used: its streams as components, its inputs, and what it says of itself. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isComponentNode, type ComponentNode } from "../components/node.ts";
import { propagate, type Handed } from "./propagate.ts";
import { isObject, readYaml, refuse } from "./read-yaml.ts";
import { resolveReferences } from "./references.ts";

export interface StreamEntry {
  name: string;
  component: ComponentNode;
}

export interface Manifest {
  version: string | null;
  description: string | null;
  /** Who may use it how, where the manifest says so. */
  licence: string | null;
  streams: StreamEntry[];
  /** Names of the streams that a check reads. */
  checkStreams: string[];
  /** JSON schema of the inputs. */
  specification: Values;
  /** Parts of the manifest itself that are not supported, by component type. */
  missing: string[];
}

const kept = new Map<string, Manifest>();
/** Manifests kept parsed: each is asked for several times when a connection is made. */
const MAX_KEPT = 8;

export function parseManifest(text: string): Manifest {
  const known = kept.get(text);
  if (known) return known;
  const manifest = read(text);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, manifest);
  return manifest;
}

function read(text: string): Manifest {
  const document = readYaml(text, "The manifest");
  if (!isObject(document)) throw refuse("The manifest must be an object with streams.");
  const { streams, dynamic_streams: dynamic } = document;
  if (!Array.isArray(streams) && !Array.isArray(dynamic)) throw refuse("The manifest has no streams.");
  const resolved = resolveReferences(document, ["streams", "check", "spec"]);
  const listed = Array.isArray(resolved["streams"]) ? resolved["streams"] : [];
  return {
    version: textOf(document["version"]),
    description: textOf(document["description"]),
    licence: licenceOf(document),
    streams: named(listed),
    checkStreams: checkStreamsOf(resolved["check"]),
    specification: specificationOf(resolved["spec"]),
    missing: missingParts(document),
  };
}

function named(listed: readonly Value[]): StreamEntry[] {
  const handed: Handed = { components: 0, parameters: 0 };
  const streams = listed.map((value, index) => {
    if (!isObject(value)) throw refuse(`Stream ${index + 1} of the manifest is no component.`);
    const component = propagate(value, "DeclarativeStream", handed);
    const name = textOf(component["name"]) ?? `stream ${index + 1}`;
    if (!isComponentNode(component)) throw refuse(`Stream ${name} is no component.`);
    return { name, component };
  });
  const names = streams.map(({ name }) => name);
  const known = new Set<string>();
  const twice = names.find((name) => known.size === known.add(name).size);
  if (twice !== undefined) throw refuse(`The manifest has two streams named ${twice}.`);
  return streams;
}

function checkStreamsOf(check: Value | undefined): string[] {
  const names = isObject(check) ? check["stream_names"] : undefined;
  return Array.isArray(names) ? names.map(String) : [];
}

function specificationOf(spec: Value | undefined): Values {
  const specification = isObject(spec)
    ? (spec["connection_specification"] ?? spec["connectionSpecification"])
    : undefined;
  return isObject(specification) ? specification : {};
}

/** Parts that change what is read or how often may be asked: ignoring them would be wrong. */
function missingParts(document: Values): string[] {
  const missing: string[] = [];
  const has = (value: Value | undefined): boolean =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  if (has(document["dynamic_streams"])) missing.push("DynamicDeclarativeStream");
  const spec = document["spec"];
  if (isObject(spec) && has(spec["config_normalization_rules"])) missing.push("ConfigNormalizationRules");
  return missing;
}

function licenceOf(document: Values): string | null {
  const metadata = document["metadata"];
  return textOf(document["license"]) ?? (isObject(metadata) ? textOf(metadata["license"]) : null);
}

const textOf = (value: Value | undefined): string | null => (typeof value === "string" && value !== "" ? value : null);
