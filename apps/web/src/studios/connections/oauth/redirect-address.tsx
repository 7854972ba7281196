/** Where the system of one connection sends people back to, to be copied into the settings of an app there. */
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";
import { useConnectorTypes } from "../queries.ts";
import "./oauth.css";

export interface RedirectOfConnection {
  /** Last part of its own address; null: it still uses the one that all connections had. */
  name: string | null;
  /** What is typed signs in at another system: saving it brings another address. */
  isMoving?: boolean;
  /** Gives it an address of its own; absent: nobody may, or it has one. */
  onOwn?: () => void;
  isBusy?: boolean;
}

export function RedirectAddress({ name, isMoving = false, onOwn, isBusy = false }: RedirectOfConnection) {
  const { t } = useWords("systemSignIn");
  const clipboard = useClipboard({ timeout: 1_600 });
  const shared = useConnectorTypes().data?.oauthRedirectUrl;
  if (!shared) return null;
  const url = name === null ? shared : `${shared}/${name}`;
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
      {isMoving ? <ErrorBox tone="warn" message={t("redirect.moving")} /> : null}
      {name === null ? <ErrorBox tone="warn" message={t("redirect.shared")} /> : null}
      {name === null && onOwn ? (
        <Button variant="default" size="xs" loading={isBusy} onClick={onOwn}>
          {t("redirect.own")}
        </Button>
      ) : null}
      {origin === window.location.origin ? null : (
        <ErrorBox tone="warn" message={t("redirect.elsewhere", { origin })} />
      )}
    </div>
  );
}
