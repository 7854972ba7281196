/** A card whose data could not be read: what is wrong, and where it can be corrected. */
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError, wordsOf } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { CardNote } from "./card-note.tsx";

export function CardError({ error, retry, children }: { error: unknown; retry: () => void; children?: ReactNode }) {
  const { t } = useWords("insights");
  const reasons = reasonsOf(error);
  return (
    <CardNote
      icon={<IconAlertTriangle size={20} />}
      title={t("card.error_getting_data")}
      body={reasons.length > 0 ? reasons.join(" ") : wordsOf(error)}
    >
      <div className="ac-card-note__actions">
        <Button size="xs" variant="default" onClick={retry}>
          {t("card.retry")}
        </Button>
        {children}
      </div>
    </CardNote>
  );
}

/** Each field's problem, else the description; the message alone only says that there is one. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof ApiError)) return [];
  if (error.fieldProblems.length > 0) return [...new Set(error.fieldProblems.map(({ message }) => message))];
  return error.description === undefined ? [] : [error.description];
}
