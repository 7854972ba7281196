/** Says that somebody else stored or deleted what is being changed here; offers theirs, or to go on with one's own. */
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "./newer-notice.css";

export interface Newer {
  /** Begins the form anew with what is stored now. */
  load: () => void;
  /** What is typed stays, and replaces what is stored now once it is saved. */
  keep: () => void;
}

/** Nothing is offered to be loaded where nothing is stored any more. */
export interface NewerNoticeProps extends Pick<Newer, "keep">, Partial<Pick<Newer, "load">> {
  message: string;
}

export function NewerNotice({ message, load, keep }: NewerNoticeProps) {
  const { t } = useWords("connections");
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <ErrorBox
        tone="warn"
        message={message}
        actions={
          <div className="ac-newer__choices">
            {load ? (
              <Button size="xs" variant="default" onClick={() => setAsked(true)}>
                {t("newer.load")}
              </Button>
            ) : null}
            <Button size="xs" variant="subtle" onClick={keep}>
              {t("newer.keep")}
            </Button>
          </div>
        }
      />
      <ConfirmDialog
        opened={isAsked}
        title={t("newer.loadTitle")}
        action={t("newer.loadDo")}
        danger
        onClose={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          load?.();
        }}
      >
        {t("newer.loadBody")}
      </ConfirmDialog>
    </>
  );
}
