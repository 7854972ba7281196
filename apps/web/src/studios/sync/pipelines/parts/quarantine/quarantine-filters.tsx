/** What the list of records in quarantine is narrowed by: a cause, a node, a text. */
import type { QuarantineCause, QuarantineFilter } from "@accord/contracts/sync/monitoring/quarantine";
import { CountBadge, SearchBox } from "@accord/ui";
import { Button, Select } from "@mantine/core";
import { useWords } from "../../../../../app/words.ts";

interface Props {
  causes: readonly QuarantineCause[];
  filter: QuarantineFilter;
  nodeName: (nodeId: string | null) => string;
  mayReplay: boolean;
  onFilter: (filter: QuarantineFilter) => void;
  onReplay: (filter: QuarantineFilter) => void;
}

const isChosen = (cause: QuarantineCause, filter: QuarantineFilter): boolean =>
  cause.code === filter.code && (cause.nodeId ?? undefined) === filter.nodeId && cause.direction === filter.side;

const filterOf = ({ code, nodeId, direction }: QuarantineCause): QuarantineFilter => ({
  code,
  side: direction,
  ...(nodeId === null ? {} : { nodeId }),
});

export function QuarantineFilters({ causes, filter, nodeName, mayReplay, onFilter, onReplay }: Props) {
  const { t } = useWords("sync");
  const nodes = new Map(causes.flatMap(({ nodeId }) => (nodeId === null ? [] : [[nodeId, nodeName(nodeId)] as const])));
  return (
    <>
      {causes.length > 0 ? (
        <ul className="ac-causes" aria-label={t("quarantine.causes")}>
          {causes.map((cause) => {
            const chosen = isChosen(cause, filter);
            return (
              <li key={`${cause.code} ${cause.nodeId} ${cause.direction}`} data-chosen={chosen || undefined}>
                <button
                  type="button"
                  aria-pressed={chosen}
                  onClick={() => onFilter({ search: filter.search, ...(chosen ? {} : filterOf(cause)) })}
                >
                  <CountBadge count={cause.count} tone="warn" />
                  <span>
                    {cause.nodeId === null
                      ? cause.message || cause.code
                      : t("quarantine.causeOf", { node: nodeName(cause.nodeId), reason: cause.message || cause.code })}
                  </span>
                </button>
                {mayReplay ? (
                  <Button variant="subtle" size="compact-sm" onClick={() => onReplay(filterOf(cause))}>
                    {t("quarantine.replayCause")}
                  </Button>
                ) : null}
              </li>
            );
          })}
        </ul>
      ) : null}
      <div className="ac-quarantine__filters">
        <SearchBox
          value={filter.search ?? ""}
          onChange={(text) => onFilter({ ...filter, search: text || undefined })}
          placeholder={t("quarantine.search")}
        />
        {nodes.size > 1 ? (
          <Select
            aria-label={t("quarantine.node")}
            placeholder={t("quarantine.allNodes")}
            clearable
            data={[...nodes].map(([value, label]) => ({ value, label }))}
            value={filter.nodeId ?? null}
            onChange={(nodeId) => onFilter({ search: filter.search, ...(nodeId ? { nodeId } : {}) })}
          />
        ) : null}
      </div>
    </>
  );
}
