/** What an administrator of the other product has to allow and to check, with the values of this instance. */
import type { ExternalViewSettings } from "@accord/contracts/insights/external-view";
import { CopyableId } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";
import type { Draft } from "./draft.ts";

export function AllowHelp({ draft, stored }: { draft: Draft; stored: ExternalViewSettings }) {
  const { t } = useWords("insights");
  const { issuer, instanceId } = stored;
  const audience = draft.audience || (URL.canParse(draft.address) ? new URL(draft.address).origin : "");
  const claims = { iss: issuer, aud: audience, instance: instanceId };
  return (
    <div className="ac-form">
      <div>
        <p className="ac-form__lead">{t("external.settings.allowFrames")}</p>
        <CopyableId id={`Content-Security-Policy: frame-ancestors ${issuer}`} />
      </div>
      <div>
        <p className="ac-form__lead">{t("external.settings.allowToken")}</p>
        <dl className="ac-external-claims">
          {Object.entries(claims).map(([claim, value]) => (
            <div key={claim}>
              <dt>{claim}</dt>
              <dd>{value === "" ? null : <CopyableId id={value} />}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="ac-form__lead">{t("external.settings.allowCookies")}</p>
      <p className="ac-form__lead">{t("external.settings.allowOutbound")}</p>
    </div>
  );
}
