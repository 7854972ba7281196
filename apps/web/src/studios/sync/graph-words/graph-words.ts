/** What has to be known around a graph to speak of it, and one line of what is said. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { useWords } from "../../../app/words.ts";
import type { BuilderField } from "../../../shared/predicate-builder/predicate.model.ts";

export type SyncWords = ReturnType<typeof useWords<"sync">>["t"];

/** What has to be known around a graph to speak of it. */
export interface GraphWords {
  t: SyncWords;
  /** Of the core entity. */
  fields: readonly BuilderField[];
  /** Definition of a function or action by its name. */
  definition: (apiName: string) => { label: string; inputs: readonly InputDefinition[] } | undefined;
  connectorName: (connectorId: string) => string;
  /** Title of a node by its id. */
  title: (nodeId: string) => string;
  /** What a way out of a node is called; empty where it needs no name. */
  portName: (node: GraphNode, port: string) => string;
}

export interface Setting {
  label: string;
  value: string;
}
