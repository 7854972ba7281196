/** Reads the tree that libpg-query makes of a statement: nodes wrapped by their type, `{ SelectStmt: { … } }`. */

export type TreeNode = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is TreeNode =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The parts of one node; asked for what is not there they are empty. */
export const nodesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
/** The body of a node of that type, or undefined. */
export const bodyOf = (node: unknown, type: string): TreeNode | undefined => {
  const body = isNode(node) ? node[type] : undefined;
  return isNode(body) ? body : undefined;
};
export const namesIn = (value: unknown): string[] =>
  nodesOf(value).map((one) => textOf(bodyOf(one, "String")?.["sval"]));

/** Both of `{ SelectStmt: { … } }`. An empty one stands for nothing, as in DISTINCT without ON. */
export function unwrap(node: unknown): [string, TreeNode] {
  const [entry] = isNode(node) ? Object.entries(node) : [];
  return entry && isNode(entry[1]) ? [entry[0], entry[1]] : ["", {}];
}
