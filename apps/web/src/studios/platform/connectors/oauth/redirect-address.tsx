/** Where systems send people back to, to be copied into the settings of an app there. */
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import { useConnectorTypes } from "../queries.ts";
import "./oauth.css";

export function RedirectAddress() {
  const { t } = useWords("systemSignIn");
  const clipboard = useClipboard({ timeout: 1_600 });
  const url = useConnectorTypes().data?.oauthRedirectUrl;
  if (!url) return null;
  const { origin } = new URL(url);
  return (
    <div className="ac-redirect" role="group" aria-label={t("redirect.label")}>
      <strong>{t("redirect.label")}</strong>
      <p className="ac-form__lead">{t("redirect.lead")}</p>
      <div className="ac-redirect__address">
        <code tabIndex={0} aria-label={t("redirect.label")}>
          {url}
        </code>
        <Button
          variant="default"
          size="xs"
          leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={() => clipboard.copy(url)}
        >
          {t(clipboard.copied ? "redirect.copied" : "redirect.copy")}
        </Button>
      </div>
      {origin === window.location.origin ? null : (
        <ErrorBox tone="warn" message={t("redirect.elsewhere", { origin })} />
      )}
    </div>
  );
}
