/** Which other instances of the organisation may insert a fragment. */
import type { Id } from "@accord/contracts";
import { listMyInstances } from "@accord/contracts/identity/instances";
import { type Fragment, getFragmentShares, listFragments, shareFragment } from "@accord/contracts/sync/fragments";
import { Button, Checkbox, Group, Modal, Skeleton, Stack } from "@mantine/core";
import { useState } from "react";
import { useCall, useEndpoint } from "../../../../app/queries.ts";
import { useSession } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

type InstanceId = Id<"instance">;

export function ShareFragmentDialog({ fragment, onClose }: { fragment: Fragment | null; onClose: () => void }) {
  const { t } = useWords("sync");
  return (
    <Modal
      opened={fragment !== null}
      onClose={onClose}
      title={t("shareFragment.title", { name: fragment?.name ?? "" })}
      closeButtonProps={{ "aria-label": t("shell:action.close") }}
      size={480}
    >
      {fragment ? <Shares key={fragment.id} fragment={fragment} onClose={onClose} /> : null}
    </Modal>
  );
}

function Shares({ fragment, onClose }: { fragment: Fragment; onClose: () => void }) {
  const { t } = useWords("sync");
  const params = { fragmentId: fragment.id };
  const shares = useEndpoint(getFragmentShares, { params }, { refetchOnMount: "always" });
  return (
    <Stack gap={14}>
      <p className="ac-dialog__lead">{t("shareFragment.lead")}</p>
      <QueryView query={shares} skeleton={<Skeleton height={90} radius="md" />}>
        {({ instanceIds }) =>
          // What was read earlier may be old by now.
          shares.isFetchedAfterMount ? (
            <ShareForm fragment={fragment} before={instanceIds} onClose={onClose} />
          ) : (
            <Skeleton height={90} radius="md" />
          )
        }
      </QueryView>
    </Stack>
  );
}

/** Other instances of the organisation that this person may work in. */
function useOtherInstances() {
  const here = useSession().currentInstanceAccordId;
  const mine = useEndpoint(listMyInstances, { query: {} });
  const all = mine.data?.instances ?? [];
  const organisation = all.find(({ accordId }) => accordId === here)?.orgName;
  return {
    isPending: mine.isPending,
    others: all.filter(({ accordId, orgName }) => accordId !== here && orgName === organisation),
  };
}

interface FormProps {
  fragment: Fragment;
  before: readonly InstanceId[];
  onClose: () => void;
}

function ShareForm({ fragment, before, onClose }: FormProps) {
  const { t } = useWords("sync");
  const { isPending, others } = useOtherInstances();
  const [chosen, setChosen] = useState<ReadonlySet<InstanceId>>(new Set(before));
  const share = useCall(shareFragment, { refreshes: [listFragments, getFragmentShares] });
  const toggle = (ids: readonly InstanceId[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
  };
  const save = async () => {
    const instanceIds = [...chosen];
    await share.mutateAsync({ params: { fragmentId: fragment.id }, body: { instanceIds } });
    toast.success(t("shareFragment.done", { name: fragment.name, count: instanceIds.length }));
    onClose();
  };
  const ids = others.map(({ accordId }) => accordId);
  const count = ids.filter((id) => chosen.has(id)).length;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save().catch(() => {});
      }}
    >
      <Stack gap={14}>
        {share.error ? <RefusalBox error={share.error} /> : null}
        {!isPending && others.length === 0 ? <p className="ac-quiet">{t("shareFragment.none")}</p> : null}
        {others.length > 1 ? (
          <Checkbox
            label={t("shareFragment.all")}
            checked={count === ids.length}
            indeterminate={count > 0 && count < ids.length}
            onChange={(event) => toggle(ids, event.currentTarget.checked)}
          />
        ) : null}
        <div className="ac-share-instances">
          {others.map(({ accordId: id, displayName }) => (
            <Checkbox
              key={id}
              label={displayName}
              checked={chosen.has(id)}
              onChange={(event) => toggle([id], event.currentTarget.checked)}
            />
          ))}
        </div>
        <p className="ac-quiet">{t("shareFragment.ids")}</p>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button type="submit" loading={share.isPending} disabled={others.length === 0}>
            {t("shareFragment.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
