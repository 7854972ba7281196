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

/** Whether parts stand inside each other more often than that. By a list of its own: a call for each level could be too many. */
export function isDeeperThan(tree: unknown, levels: number): boolean {
  let open: unknown[] = [tree];
  for (let level = 0; open.length > 0; level += 1) {
    if (level > levels) return true;
    open = open.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** The number in `char(20)`; infinite where it is no plain number. */
export function lengthOf(typmods: unknown): number {
  const [first] = nodesOf(typmods);
  if (first === undefined) return 0;
  const value = bodyOf(first, "A_Const")?.["ival"];
  const number = isNode(value) ? (value["ival"] ?? 0) : undefined;
  return typeof number === "number" ? number : Infinity;
}

/** A text in quotes of at most that many characters. */
export function isShortText(node: unknown, limit: number): boolean {
  const text = bodyOf(node, "A_Const")?.["sval"];
  return isNode(text) && textOf(text["sval"]).length <= limit;
}
