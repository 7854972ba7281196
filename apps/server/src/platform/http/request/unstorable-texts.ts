/** Finds texts that no database can hold in what a caller sent, so that they are refused by name and not by a failure. */
import type { FieldProblem } from "@accord/contracts";
import { isStorableText } from "@accord/expressions";

const MESSAGE = "holds a character that can't be stored";
/** More of them say nothing new. */
const MOST = 20;

/** One problem for each text, or name of a member, with a NUL or half of a character. Files are not looked into. */
export function findInvalidCharacters(sent: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const visit = (part: unknown, path: string): void => {
    if (problems.length >= MOST) return;
    if (typeof part === "string") {
      if (!isStorableText(part)) problems.push({ path, message: MESSAGE });
    } else if (Array.isArray(part)) {
      for (const [index, item] of part.entries()) visit(item, join(path, String(index)));
    } else if (isPlain(part)) {
      for (const [name, item] of Object.entries(part)) {
        if (isStorableText(name)) visit(item, join(path, name));
        else problems.push({ path, message: MESSAGE });
      }
    }
  };
  visit(sent, "");
  return problems;
}

const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function isPlain(part: unknown): part is Record<string, unknown> {
  if (typeof part !== "object" || part === null) return false;
  const prototype: unknown = Object.getPrototypeOf(part);
  // Queries come as objects with an empty prototype of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
