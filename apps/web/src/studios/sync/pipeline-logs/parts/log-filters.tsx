/** What the log is narrowed by: severity, kind, node, text and time. */
import { LOG_KINDS, LOG_SEVERITIES, PERIODS } from "@accord/contracts/sync/monitoring/page-filters";
import { FilterChips, SearchBox } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";
import { LogChoice } from "../../log-choice.tsx";
import type { LogSearch } from "../routes.tsx";
import type { NamedNode } from "../use-nodes.ts";

interface Props {
  search: LogSearch;
  nodes: readonly NamedNode[];
  onChange: (part: Partial<LogSearch>) => void;
}

export function LogFilters({ search, nodes, onChange }: Props) {
  const { t } = useWords("sync");
  const { from, to } = search;
  const named = nodes.map(({ id, title }) => ({ value: id, label: title }));
  // A node that is no longer in the graph has entries all the same.
  if (search.node && !nodes.some(({ id }) => id === search.node))
    named.push({ value: search.node, label: search.node });
  const chips = [
    ...(from
      ? [{ id: "from", label: t("logs.since", { from: shown(from) }), onRemove: () => onChange({ from: undefined }) }]
      : []),
    ...(to
      ? [{ id: "to", label: t("logs.until", { to: shown(to) }), onRemove: () => onChange({ to: undefined }) }]
      : []),
  ];
  return (
    <div className="ac-log__filters">
      <SearchBox
        value={search.text ?? ""}
        onChange={(text) => onChange({ text: text || undefined })}
        placeholder={t("logs.search")}
      />
      <LogChoice
        width={160}
        label={t("logs.severity")}
        any={t("logs.anySeverity")}
        data={LOG_SEVERITIES.map((value) => ({ value, label: t(`logs.severity_${value}`) }))}
        value={search.severity}
        onChange={(severity) => onChange({ severity })}
      />
      <LogChoice
        width={160}
        label={t("logs.kind")}
        any={t("logs.anyKind")}
        data={LOG_KINDS.map((value) => ({ value, label: t(`logs.kind_${value}`) }))}
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <LogChoice
        width={160}
        label={t("logs.node")}
        any={t("logs.anyNode")}
        data={named}
        value={search.node}
        onChange={(node) => onChange({ node })}
      />
      <LogChoice
        width={160}
        label={t("logs.within")}
        any={t("logs.anyTime")}
        data={PERIODS.map((value) => ({ value, label: t(`logs.within_${value}`) }))}
        value={search.within}
        onChange={(within) => onChange({ within })}
      />
      <FilterChips chips={chips} onClear={() => onChange({ from: undefined, to: undefined })} />
    </div>
  );
}

const shown = (time: string): string => new Date(time).toLocaleString();
