/** What was typed into the forms of nodes that the graph can't hold yet. Pure. */
import type { Graph } from "@accord/contracts/sync/graph";

export type FormValues = Readonly<Record<string, unknown>>;
/** By node and form. */
export type InvalidInputs = Readonly<Record<string, FormValues>>;

/** The form that holds a node's label alone. */
export const LABEL_FORM = "label";
export const formKey = (nodeId: string, form: string): string => `${nodeId} ${form}`;
/** Name of the first value that differs: what an edit was about. */
export const changedField = (before: FormValues, after: FormValues): string =>
  [...Object.keys(after), ...Object.keys(before)].find((name) => before[name] !== after[name]) ?? "";
export const nodeOfForm = (key: string): string => key.slice(0, key.indexOf(" "));

/** Inputs of nodes that a step back or forward did not touch stay as typed. */
export function keepUntouched(inputs: InvalidInputs, before: Graph, after: Graph): InvalidInputs {
  const nodes = new Map(before.nodes.map((node) => [node.id, node]));
  const untouched = new Set(after.nodes.filter((node) => nodes.get(node.id) === node).map((node) => node.id));
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => untouched.has(nodeOfForm(key))));
}
