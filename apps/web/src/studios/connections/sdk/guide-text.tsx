/** The guide as it is written in Markdown: headings, paragraphs, tables, and code within sentences. */
import type { ReactNode } from "react";

export function GuideText({ text }: { text: string }) {
  return (
    <div className="ac-guide">
      {text
        .split(/\n{2,}/)
        .map((block) => block.trim())
        .filter(Boolean)
        .map((block, at) => (
          <Block key={at} text={block} />
        ))}
    </div>
  );
}

function Block({ text }: { text: string }) {
  const [, marks, title] = /^(#{1,3}) (.+)$/.exec(text) ?? [];
  if (marks !== undefined && title !== undefined)
    return marks.length === 1 ? <h2>{inline(title)}</h2> : <h3>{inline(title)}</h3>;
  if (text.startsWith("|")) return <Table lines={text.split("\n")} />;
  if (text.startsWith("```")) return <pre>{text.replaceAll(/^```\w*\n?|\n?```$/g, "")}</pre>;
  return <p>{inline(text)}</p>;
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

function Table({ lines: [head = "", , ...rows] }: { lines: string[] }) {
  return (
    <table>
      <thead>
        <tr>
          {cellsOf(head).map((cell) => (
            <th key={cell} scope="col">
              {inline(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {cellsOf(row).map((cell, at) => (
              <td key={at}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Code, strong and emphasised words; everything else stands as it is written. */
function inline(text: string): ReactNode[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map((part, at) => {
    if (part.startsWith("`")) return <code key={at}>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <strong key={at}>{part.slice(2, -2)}</strong>;
    if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return <em key={at}>{part.slice(1, -1)}</em>;
    return part;
  });
}
