/** The streams of a manifest opened with its inputs: built when they are first read, parents included. */
import { ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { makeBuild } from "../components/build.ts";
import type { ComponentNode } from "../components/node.ts";
import type { Runtime } from "../components/model.ts";
import { problemsOf } from "../document/describe.ts";
import type { Manifest, StreamEntry } from "../document/manifest.ts";
import { refuse } from "../document/read-yaml.ts";
import { readParentPage, type StreamReader } from "./read-stream.ts";
import { makeRuntime } from "./runtime.ts";
import { Walk } from "./walk.ts";

export interface ManifestSource {
  /** Streams that can run. */
  streams: readonly StreamEntry[];
  /** @throws ConnectorError for a stream that is not there or can't run. */
  reader(name: string): StreamReader;
}

export function openManifest(
  context: Pick<ConnectContext, "send" | "now" | "signal">,
  manifest: Manifest,
  config: Values,
  origins: readonly string[],
): ManifestSource {
  const readers = new Map<string, StreamReader>();
  const parents = new Map<ComponentNode, StreamReader>();
  const runtime: Runtime = makeRuntime(context, origins, (component, cursor, signal) => {
    const reader = parents.get(component) ?? open(nameOf(component), component);
    parents.set(component, reader);
    return readParentPage(reader, cursor, signal);
  });
  const open = (stream: string, component: ComponentNode): StreamReader => {
    const built = makeBuild({ stream, config, runtime }).make("stream", component);
    return { stream: built, walk: new Walk(built), now: () => context.now(), wait: null };
  };
  return {
    streams: manifest.streams.filter((entry) => problemsOf(entry).length === 0),
    reader(name) {
      const known = readers.get(name);
      if (known) return known;
      const reader = open(name, runnable(manifest, name).component);
      readers.set(name, reader);
      return reader;
    },
  };
}

const nameOf = (component: ComponentNode): string =>
  typeof component["name"] === "string" ? component["name"] : "parent";

function runnable(manifest: Manifest, name: string): StreamEntry {
  const entry = manifest.streams.find((candidate) => candidate.name === name);
  if (!entry)
    throw new ConnectorError("schemaChanged", `The manifest has no stream ${name} any more.`, {
      hint: "Add it to the manifest again, or take it out of the pipeline.",
    });
  const [problem] = problemsOf(entry);
  if (problem !== undefined) throw refuse(problem);
  return entry;
}
