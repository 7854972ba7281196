/** Settings of sharing: which domains may be invited, which are in use, and who has access to which dashboard. */
import { PageBody, PageHeader } from "@accord/ui";
import { usePage } from "../../../../app/page.ts";
import { useCan, useSession } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { Demand } from "../../../../shared/demand.tsx";
import { AllowedDomains } from "./allowed-domains.tsx";
import { DomainsInUse } from "./domains-in-use.tsx";
import { SharedItems } from "./shared-items.tsx";
import "./sharing-settings.css";

export function SharingSettingsScreen() {
  const { t } = useWords("insights");
  const session = useSession();
  const seesItems = useCan("READ_ALL_SHARED_DASHBOARDS");
  usePage({
    title: t("domains.title"),
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: t("domains.title") }],
  });
  return (
    <Demand anyOf={["READ_ALLOWED_DOMAINS"]}>
      <PageBody narrow>
        <PageHeader
          title={t("domains.title")}
          subtitle={t("domains.subtitle", { instance: session.currentInstanceName ?? session.orgName })}
        />
        <div className="ac-sharing-settings">
          <AllowedDomains />
          <DomainsInUse />
          {seesItems ? <SharedItems /> : null}
        </div>
      </PageBody>
    </Demand>
  );
}
