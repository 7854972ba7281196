/** Evaluates an alert now, and says what it finds; nobody is notified. */
import type { Id } from "@accord/contracts";
import { testCardAlert } from "@accord/contracts/insights/card-alerts";
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import type { Tested } from "./alert-draft.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const TONES = { OK: "ok", CROSSED: "warn", NO_VALUE: "info" } as const;

interface TestAlertProps {
  cardId: Id<"dataCard">;
  /** Of which alert it is, for screen readers. */
  label?: string;
  /** What is tested; an answer is shown beside nothing else. Null where it can't be read yet. */
  tested: Tested | null;
  /** Shows what is wrong where it can't be read. */
  onProblems?: () => void;
  /** Other buttons beside this one. */
  children?: React.ReactNode;
}

export function TestAlert({ cardId, label, tested, onProblems, children }: TestAlertProps) {
  const { t } = useWords("insights");
  const test = useCall(testCardAlert);
  const body = tested && { watch: tested.watch, condition: tested.condition };
  const isOfThis = body !== null && JSON.stringify(body) === JSON.stringify(test.variables?.body);
  const run = (): void => {
    if (body) test.mutate({ params: { id: cardId }, body });
    else onProblems?.();
  };
  return (
    <>
      <div className="ac-drawer-entry__actions">
        {children}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={15} />}
          loading={isOfThis && test.isPending}
          aria-label={label}
          onClick={run}
        >
          {t("alerts.test")}
        </Button>
      </div>
      {isOfThis && test.isPending ? (
        <p className="ac-quiet" role="status">
          {t("alerts.testing")}
        </p>
      ) : null}
      {isOfThis && test.isError ? <RefusalBox error={test.error} /> : null}
      {isOfThis && test.isSuccess ? (
        <ErrorBox
          tone={TONES[test.data.state]}
          title={t(`alerts.tested.${test.data.state}`, { value: valueText(test.data.value) })}
          message={t("alerts.testedNote")}
        />
      ) : null}
    </>
  );
}

/** `Q2 2026: $1,200` */
export const valueText = (value: { text: string; mark: string } | null): string =>
  value === null ? "–" : value.mark === "" ? value.text : `${value.mark}: ${value.text}`;
