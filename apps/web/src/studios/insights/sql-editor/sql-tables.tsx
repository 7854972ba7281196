/** The tables and columns that a statement may name; pressing one writes it at the cursor. */
import { sqlName } from "@accord/analytics-engine";
import type { ReplyOf } from "@accord/contracts";
import type { datasetSqlNames, SqlTable } from "@accord/contracts/insights/dataset-sql";
import { Card, SearchBox, TableSkeleton } from "@accord/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";

interface SqlTablesProps {
  query: UseQueryResult<ReplyOf<typeof datasetSqlNames>>;
  onInsert: (text: string) => void;
}

/** Of both, what is called so; everything of a table that is itself. */
function found(tables: readonly SqlTable[], sought: string): SqlTable[] {
  const wanted = sought.trim().toLowerCase();
  const isIt = ({ name, displayName }: { name: string; displayName: string }): boolean =>
    name.toLowerCase().includes(wanted) || displayName.toLowerCase().includes(wanted);
  return tables.flatMap((table) => {
    const columns = isIt(table) ? table.columns : table.columns.filter(isIt);
    return columns.length > 0 ? [{ ...table, columns }] : [];
  });
}

export function SqlTables({ query, onInsert }: SqlTablesProps) {
  const { t } = useWords("insights");
  const [sought, setSought] = useState("");
  return (
    <Card title={t("sqlEditor.tables")}>
      <p className="ac-quiet">{t("sqlEditor.tablesHelp")}</p>
      <QueryView query={query} skeleton={<TableSkeleton rows={6} />}>
        {({ tables }) => {
          const shown = found(tables, sought);
          return (
            <>
              <SearchBox
                value={sought}
                onChange={setSought}
                placeholder={t("sqlEditor.findTable")}
                hasShortcut={false}
              />
              {shown.length === 0 ? <p className="ac-quiet">{t("sqlEditor.noTables")}</p> : null}
              <ul className="ac-sql__tables">
                {shown.map((table) => (
                  <li key={table.name}>
                    <details open={sought.trim() !== "" || undefined}>
                      <summary>
                        <code>{table.name}</code>
                        <span className="ac-quiet">
                          {t(table.kind === "ENTITY" ? "sqlEditor.entity" : "sqlEditor.dataset")} · {table.displayName}
                        </span>
                      </summary>
                      <Name name={table.name} onInsert={onInsert} />
                      {table.columns.map(({ name, displayName, dataType }) => (
                        <Name key={name} name={name} title={`${displayName} · ${dataType}`} onInsert={onInsert} />
                      ))}
                    </details>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}

function Name({ name, title, onInsert }: { name: string; title?: string; onInsert: (text: string) => void }) {
  const { t } = useWords("insights");
  return (
    <button
      type="button"
      className="ac-sql__name"
      title={title}
      aria-label={t("sqlEditor.insert", { name })}
      onClick={() => onInsert(sqlName(name))}
    >
      {name}
    </button>
  );
}
