/** Shows what a repair would ask of the pipeline before it is asked. */
import { TableSkeleton } from "@accord/ui";
import { Button, Group, Modal, Stack } from "@mantine/core";
import {
  listDifferences,
  previewRepair,
  type Reconciliation,
  type RepairChoice,
  type RepairPlan,
  repairDifferences,
} from "@accord/contracts/sync/reconciliation";
import { useEffect } from "react";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

interface Props {
  report: Reconciliation;
  choice: RepairChoice | null;
  onClose: () => void;
  onDone: () => void;
}

/** What a repair found that it does nothing about. */
const LEFT_ALONE = ["changed", "unchecked", "withheld"] as const;

export function RepairDialog({ choice, onClose, ...props }: Props) {
  const { t } = useWords("reconciliation");
  return (
    <Modal opened={choice !== null} onClose={onClose} title={t("repair.title")} size={460}>
      {choice ? <Content key={JSON.stringify(choice)} {...props} choice={choice} onClose={onClose} /> : null}
    </Modal>
  );
}

function Content({ report, choice, onClose, onDone }: Props & { choice: RepairChoice }) {
  const { t } = useWords("reconciliation");
  const params = { reconciliationId: report.id };
  const preview = useCall(previewRepair);
  const repair = useCall(repairDifferences, {
    refreshes: [listDifferences],
    onSuccess: (plan) => {
      const left = LEFT_ALONE.flatMap((name) => (plan[name] > 0 ? [t(`repair.${name}`, { count: plan[name] })] : []));
      toast.success([t(plan.actions.length > 0 ? "repair.asked" : "repair.nothingAsked"), ...left].join(" "));
      onDone();
    },
  });
  const { mutate } = preview;
  useEffect(() => {
    mutate({ params: { reconciliationId: report.id }, body: choice });
  }, [mutate, report.id, choice]);
  const error = preview.error ?? repair.error;
  const plan = preview.data;
  return (
    <Stack gap={16}>
      {error ? <RefusalBox error={error} /> : null}
      {plan ? <Plan plan={plan} /> : error ? null : <TableSkeleton rows={2} columns={1} />}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t("repair.close")}
        </Button>
        <Button
          disabled={!plan || plan.actions.length === 0}
          loading={repair.isPending}
          onClick={() => repair.mutate({ params, body: choice })}
        >
          {t("repair.deed")}
        </Button>
      </Group>
    </Stack>
  );
}

function Plan({ plan: { actions, skipped } }: { plan: RepairPlan }) {
  const { t } = useWords("reconciliation");
  if (actions.length === 0) return <p className="ac-reconciliation__lead">{t("repair.nothing")}</p>;
  return (
    <>
      <p className="ac-reconciliation__lead">{t("repair.lead")}</p>
      <ul className="ac-reconciliation__actions">
        {actions.map(({ action, count }) => (
          <li key={action}>{t(`repair.action.${action}`, { count })}</li>
        ))}
      </ul>
      {skipped > 0 ? <p className="ac-reconciliation__lead">{t("repair.skipped", { count: skipped })}</p> : null}
    </>
  );
}
