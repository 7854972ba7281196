/** The reason of a refusal is never left out: one box and one dialog of the web app show refused calls. */
import type { Fault } from "./house-rules.ts";
import type { Source, SyntaxNode } from "./syntax-walk.ts";

const FOLDER = "apps/web/src/shared/refusal/";
/** An error made into text, or the message of a variable that holds one. */
const TEXT_OF_ERROR = /\b(explanationOf|reasonOf|messageOf|explain)\(|\b(\w*[eE]rror|refused|cause)\??\.message\b/;
const PLAIN_DIALOG = /\bConfirmDialog\b(?=[^]*from "@accord\/ui")/;

/** Faults of one node: a plain box with the text of an error, or the plain dialog. */
export function refusalFaults(source: Source, node: SyntaxNode): Fault[] {
  if (source.file.startsWith(FOLDER)) return [];
  const fault = (fix: string): Fault[] => [{ file: source.file, line: source.lineOf(node), rule: "refusal", fix }];
  if (node.type === "ImportDeclaration" && PLAIN_DIALOG.test(textOf(source, node)))
    return fault(`import ConfirmDialog from ${FOLDER}confirm-dialog.tsx`);
  if (node.type === "JSXOpeningElement" && isBoxOfError(source, node))
    return fault(`show it by RefusalBox (${FOLDER}refusal-box.tsx): it says the reason, too`);
  return [];
}

function isBoxOfError(source: Source, node: SyntaxNode): boolean {
  if (!/^<ErrorBox\b/.test(textOf(source, node))) return false;
  const attributes: unknown = node["attributes"];
  if (!Array.isArray(attributes)) return false;
  return attributes
    .map((attribute) => (isNode(attribute) ? textOf(source, attribute) : ""))
    .some((text) => text.startsWith("message=") && TEXT_OF_ERROR.test(text));
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === "object" && value !== null && "type" in value;

/** Positions are bytes counted from 1. */
function textOf(source: Source, { span }: SyntaxNode): string {
  if (!span) return "";
  return Buffer.from(source.text)
    .subarray(span.start - 1, span.end - 1)
    .toString("utf8");
}
