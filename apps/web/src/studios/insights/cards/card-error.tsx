/** A card whose data could not be read: what is wrong, and where it can be corrected. */
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { reasonOf } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { CardNote } from "./card-note.tsx";

export function CardError({ error, retry, children }: { error: unknown; retry: () => void; children?: ReactNode }) {
  const { t } = useWords("insights");
  return (
    <CardNote icon={<IconAlertTriangle size={20} />} title={t("card.error_getting_data")} body={reasonOf(error)}>
      <div className="ac-card-note__actions">
        <Button size="xs" variant="default" onClick={retry}>
          {t("card.retry")}
        </Button>
        {children}
      </div>
    </CardNote>
  );
}
