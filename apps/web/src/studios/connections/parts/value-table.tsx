/** A few records as they came, in a small table that scrolls by itself. */
import type { Value, Values } from "@accord/contracts/data/values";

export interface ValueTableProps {
  label: string;
  columns: readonly { name: string; label: string }[];
  rows: readonly Values[];
}

const textOf = (value: Value | undefined): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

export function ValueTable({ label, columns, rows }: ValueTableProps) {
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div className="ac-entity__sample" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map(({ name }) => (
                <td key={name} title={textOf(row[name])}>
                  {textOf(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
