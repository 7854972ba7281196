/** What pipelines are like that tests run cycle by cycle. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Authority } from "./scenario/pipeline-fixture.ts";
import type { Duplicates } from "./scenario/scenario.ts";
import type { SystemTraits } from "./systems/system-traits.ts";

export interface DriverOptions {
  /** One system for each: A, B, … */
  systems: readonly Partial<SystemTraits>[];
  /** All of them bring all that they hold with each reading. */
  listsAll?: boolean;
  authority?: Authority;
  /** Data types of `name`, `phone` and `note`; text where nothing is said. */
  fields?: Readonly<Record<string, Partial<FieldSchema>>>;
  /** How records of one e-mail address are dealt with; left alone where nothing is said. */
  duplicates?: Duplicates;
  /** Contacts name other contacts, as `boss`. */
  hasReferences?: boolean;
  /** Systems that nothing is written to, and such that nothing is read from. */
  readOnly?: readonly string[];
  writeOnly?: readonly string[];
  /** Blanks replace values. */
  acceptsBlanks?: boolean;
  /** Systems that don't say in their lists what was deleted. */
  hidesDeletes?: readonly string[];
  /** What is otherwise about a node's configuration, by its id. */
  configured?: (nodeId: string) => object;
}

/** What a version maps otherwise than the first one. */
export interface MappingChanges {
  /** Destinations go on writing what their sources leave out. */
  keepsSink: boolean;
  /** The columns of core fields that are mapped to others than their own. */
  columns: { readonly [coreField: string]: string };
}

/** A scenario without peculiarities, but for what a test arranges. */
export const PLAIN_SCENARIO = {
  readsSinglePages: false,
  noDeleteSystems: [],
  actionOptions: null,
  types: null,
};
