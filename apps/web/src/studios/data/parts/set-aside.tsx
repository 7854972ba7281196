/** Says of a record in one system that it was set aside there, why, and offers to try it again. */
import type { QuarantineEntry } from "@accord/contracts/sync/monitoring/quarantine";
import { RelativeTime } from "@accord/ui";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../../../app/words.ts";

export interface SetAsideProps {
  entry: Pick<QuarantineEntry, "at" | "message" | "status">;
  isBusy: boolean;
  /** Absent for somebody who may not try it again. */
  onTryAgain?: (() => void) | undefined;
  /** The way to what is set aside. */
  children: ReactNode;
}

export function SetAside({ entry, isBusy, onTryAgain, children }: SetAsideProps) {
  const { t } = useWords("data", "sync");
  return (
    <div className="ac-systems__aside">
      <p>
        {t(entry.status === "RETRYING" ? "record.triedAgain" : "explain.setAside")} <RelativeTime at={entry.at} />:{" "}
        {entry.message}
      </p>
      <div>
        {onTryAgain && entry.status === "OPEN" ? (
          <Button size="compact-xs" variant="default" loading={isBusy} onClick={onTryAgain}>
            {t("sync:quarantine.replay")}
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}
