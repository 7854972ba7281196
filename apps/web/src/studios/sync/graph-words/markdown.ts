/** The documentation of a pipeline as Markdown, for wikis and reviews. */
import type { DocumentedNode, PipelineDocument } from "./pipeline-document.ts";
import type { SyncWords } from "./graph-words.ts";

export interface DocumentHead {
  title: string;
  /** "Version 2 · Name, published by … on …", or that it is the draft. */
  version: string;
}

/** Characters that Markdown would read as its own stay text; a table's cell is one line. */
const text = (value: string): string => value.replaceAll(/[\\`*_{}[\]<>#|~]/g, (mark) => `\\${mark}`);
const cell = (value: string): string => text(value).replaceAll(/\s*\n\s*/g, " ");

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${heads.map(cell).join(" | ")} |`,
  `|${heads.map(() => " --- |").join("")}`,
  ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
  "",
];

export function toMarkdown(document: PipelineDocument, head: DocumentHead, t: SyncWords): string {
  const lines = [`# ${text(head.title)}`, "", text(head.version), "", text(document.summary), ""];
  for (const { name, nodes } of document.sections) {
    lines.push(`## ${text(t(`documentation.section_${name}`))}`, "");
    for (const node of nodes) lines.push(...nodeLines(node, t));
  }
  if (document.groups.length > 0) {
    lines.push(`## ${text(t("documentation.groups"))}`, "");
    for (const { title, description, members } of document.groups)
      lines.push(`- **${text(title)}**: ${[description, members.join(", ")].filter(Boolean).map(text).join(" · ")}`);
    lines.push("");
  }
  if (document.notes.length > 0) {
    lines.push(`## ${text(t("note.title"))}`, "");
    for (const { text: said, nodes } of document.notes) {
      lines.push(...said.split("\n").map((line) => `> ${text(line)}`), "");
      if (nodes.length > 0) lines.push(text(t("note.on", { nodes: nodes.join(", ") })), "");
    }
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function nodeLines(node: DocumentedNode, t: SyncWords): string[] {
  const lines = [`### ${text(node.title)}`, "", text(node.line), ""];
  if (node.description) lines.push(...node.description.split("\n").map((line) => `> ${text(line)}`), "");
  if (node.from.length > 0) lines.push(`- ${t("documentation.from")}: ${node.from.map(text).join(", ")}`);
  if (node.to.length > 0) lines.push(`- ${t("documentation.to")}: ${node.to.map(text).join(", ")}`);
  if (node.group) lines.push(`- ${t("node.group")}: ${text(node.group)}`);
  if (lines.at(-1) !== "") lines.push("");
  if (node.settings.length > 0)
    lines.push(
      ...table(
        [t("compare.setting"), t("documentation.value")],
        node.settings.map(({ label, value }) => [label, value]),
      ),
    );
  if (node.mapping.length > 0)
    lines.push(
      ...table(
        [t("documentation.systemField"), t("documentation.coreField")],
        node.mapping.map(({ connectorField, coreField }) => [connectorField, coreField]),
      ),
    );
  return lines;
}
