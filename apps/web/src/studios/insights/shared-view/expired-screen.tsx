/** What somebody outside sees after a share has ended. */
import { IconClockOff } from "@tabler/icons-react";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { Door } from "./door.tsx";

export function ExpiredScreen() {
  const { t } = useWords("insights");
  usePage({ title: t("outside.expiredTitle") });
  return (
    <Door
      icon={<IconClockOff size={22} />}
      tone="warn"
      title={t("outside.expiredTitle")}
      body={t("outside.expiredBody")}
    />
  );
}
