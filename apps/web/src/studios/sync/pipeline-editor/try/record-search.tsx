/** Finds a record that is known in a source's system, by its words or its id there. */
import { EmptyState, SkeletonBlock, Skeletons } from "@accord/ui";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import type { Id } from "@accord/contracts";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { listRecordsToTry, type RecordToTry } from "@accord/contracts/sync/tests/try-record";
import { useState } from "react";
import { polling, useEndpoint } from "../../../../app/queries.ts";
import { useEvent } from "../../../../app/realtime.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useConnectors } from "../queries.ts";

interface Props {
  entityId: Id<"entity">;
  source: GraphNode;
  onChoose: (record: RecordToTry, name: string) => void;
}

const PAUSE_MS = 250;

const isEmpty = ({ data }: { data: { records: readonly unknown[] } | undefined }): boolean =>
  data?.records.length === 0;

export function RecordSearch({ entityId, source, onChoose }: Props) {
  const { t } = useWords("sync");
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { connectorId = "", entityDefinition = "" } = source.configuration;
  const system = useConnectors().data?.connectors.find(({ id }) => id === connectorId)?.name ?? "";
  const query = { connectorId, entityApiName: entityDefinition, search };
  const found = useEndpoint(
    listRecordsToTry,
    { params: { id: entityId }, query },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (isEmpty(state) ? polling().refetchInterval() : false),
    },
  );
  // The first cycle may still read them. A list that has records stays as it is under the pointer.
  useEvent(pipelineStatusChanged, (change) => {
    if (change.entityId === entityId && isEmpty(found)) void found.refetch({ cancelRefetch: false });
  });
  return (
    <>
      <TextInput
        label={t("try.searchLabel")}
        placeholder={t("try.searchHint", { system })}
        leftSection={<IconSearch size={15} />}
        value={text}
        maxLength={200}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <QueryView
        query={found}
        skeleton={
          <Skeletons>
            <SkeletonBlock width="80%" />
          </Skeletons>
        }
      >
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState
              compact
              title={search === "" ? t("try.none") : t("try.noMatch", { text: search })}
              body={t("try.noneHint")}
            />
          ) : (
            <ul className="ac-try__found" aria-label={t("try.found")} aria-busy={found.isPlaceholderData}>
              {records.map(({ recordId, externalId, name }) => (
                <li key={recordId}>
                  <button
                    type="button"
                    className="ac-row-button"
                    onClick={() =>
                      onChoose({ kind: "stored", recordId }, `${name ?? t("try.unnamed")} (${system} ${externalId})`)
                    }
                  >
                    <span>{name ?? t("try.unnamed")}</span>
                    <span>{externalId}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </>
  );
}
