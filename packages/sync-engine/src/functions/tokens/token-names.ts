/** Names of the tokens that a configuration uses. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { tokensIn } from "@accord/expressions";
import { isCode } from "../../graph/elements.ts";
import { readableConfiguration } from "../../actions/mail-body.ts";

/** In texts, and as operands of conditions. */
export function namesIn(configuration: unknown): string[] {
  const found = new Set(tokensIn(configuration));
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit);
    if (typeof part !== "object" || part === null) return;
    if ("kind" in part && part.kind === "token" && "token" in part && typeof part.token === "string")
      found.add(part.token);
    Object.values(part).forEach(visit);
  };
  visit(configuration);
  return [...found];
}

/** Names of all tokens a node uses. Braces in code are the code's. */
export const tokensOf = (node: GraphNode): string[] => (isCode(node) ? [] : namesIn(readableConfiguration(node)));

/** `name` itself, or `name` and a path into its value: `name.a.b`, `name[0]`. null when the token does not begin with it. */
export function restAfter(token: string, name: string): string | null {
  if (name === "" || !token.startsWith(name)) return null;
  const rest = token.slice(name.length);
  return rest === "" || rest.startsWith(".") || rest.startsWith("[") ? rest : null;
}
