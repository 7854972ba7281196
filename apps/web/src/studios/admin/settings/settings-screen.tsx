/** Everything that can be set up, as far as one may. */
import { getDatabaseProtection } from "@accord/contracts/operations/health";
import { getRetention } from "@accord/contracts/sync/retention";
import { PageBody, PageHeader } from "@accord/ui";
import { Alert } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { usePage } from "../../../app/page.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { can, useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { maySee, SETTINGS_PAGES, type SettingsPage } from "./settings-pages.ts";
import "./settings-screen.css";

export function SettingsScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("settings.title") });
  const session = useSession();
  const shown = SETTINGS_PAGES.filter((entry) => maySee(session, entry));
  return (
    <PageBody>
      <PageHeader
        title={t("settings.title")}
        subtitle={t("settings.lead", { instance: session.currentInstanceName ?? "", organisation: session.orgName })}
      />
      <ul className="ac-settings">
        {shown.map((entry) => (
          <li key={entry.id}>
            <SettingsLink entry={entry} title={t(`settings.${entry.id}`)} hint={t(`settings.${entry.id}Hint`)} />
          </li>
        ))}
      </ul>
      <Retention />
      {can(session, "DEBUG") ? <DatabaseProtection /> : null}
    </PageBody>
  );
}

/** Nobody can change it here: the disk is the operator's. */
function Retention() {
  const { t } = useWords("identity");
  const { data } = useEndpoint(getRetention, {});
  if (!data) return null;
  return (
    <section className="ac-settings-kept" aria-labelledby="settings-kept">
      <h2 id="settings-kept">{t("settings.kept")}</h2>
      <p>{t("settings.keptLead")}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("settings.keptWhat")}</th>
            <th scope="col">{t("settings.keptDays")}</th>
            <th scope="col">{t("settings.keptSetting")}</th>
          </tr>
        </thead>
        <tbody>
          {data.kept.map(({ kind, days, setting }) => (
            <tr key={kind}>
              <th scope="row">{t(`settings.kept_${kind}`)}</th>
              <td>{days === 0 ? t("settings.keptForEver") : t("settings.keptFor", { count: days })}</td>
              <td>
                <code>
                  {setting.split(/(?<=_)/).map((word) => (
                    <Fragment key={word}>
                      {word}
                      <wbr />
                    </Fragment>
                  ))}
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the operator of an external PostgreSQL server can close. */
function DatabaseProtection() {
  const { t } = useWords("identity");
  const { data } = useEndpoint(getDatabaseProtection, {});
  return data?.exposures.map(({ database, isOpen, dangerousFunctions, sql }) => (
    <Alert key={database} color="orange" title={t("settings.databaseTitle", { database })} className="ac-settings-note">
      {isOpen ? <p>{t("settings.databaseOpen")}</p> : null}
      {dangerousFunctions > 0 ? <p>{t("settings.databaseFunctions", { count: dangerousFunctions })}</p> : null}
      <p>{t("settings.databaseFix", { database })}</p>
      <pre>{sql}</pre>
    </Alert>
  ));
}

function SettingsLink({ entry, title, hint }: { entry: SettingsPage; title: string; hint: string }) {
  const content = (
    <>
      <entry.icon size={20} stroke={1.7} aria-hidden />
      <span>
        <strong>{title}</strong>
        <small>{hint}</small>
      </span>
    </>
  );
  return entry.external ? (
    <a href={entry.to} target="_blank" rel="noreferrer">
      {content}
    </a>
  ) : (
    <Link to={entry.to}>{content}</Link>
  );
}
