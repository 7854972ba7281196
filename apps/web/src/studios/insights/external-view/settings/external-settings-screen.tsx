/** Settings of the external view: whether it is shown, where the product is, what it is sent, and what it has to allow. */
import { disableFeature, enableFeature, getFeature } from "@accord/contracts/identity/instances";
import { getExternalViewSettings, getInsightsProvider } from "@accord/contracts/insights/external-view";
import { Card, FormSkeleton, PageBody, PageHeader } from "@accord/ui";
import { Button, Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { usePage } from "../../../../app/page.ts";
import { useCall, useEndpoint } from "../../../../app/queries.ts";
import { useCan, useSession } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { Demand } from "../../../../shared/demand.tsx";
import { QueryView } from "../../../../shared/query-view.tsx";
import { showSuccess } from "../../parts/show-success.ts";
import { SettingsForm } from "./settings-form.tsx";
import "./external-settings.css";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

export function ExternalSettingsScreen() {
  const { t } = useWords("insights");
  const session = useSession();
  usePage({
    title: t("external.settings.title"),
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: t("external.settings.title") }],
  });
  return (
    <Demand anyOf={["SERVICE_CREDENTIAL"]}>
      <PageBody narrow>
        <PageHeader
          title={t("external.settings.title")}
          subtitle={t("external.settings.subtitle", { instance: session.currentInstanceName ?? session.orgName })}
        />
        <Shown />
        <Settings />
      </PageBody>
    </Demand>
  );
}

const FLAG = { params: { featureName: "InsightsProvider" } } as const;

/** The feature of the instance. */
function Shown() {
  const { t } = useWords("insights");
  const mayEnable = useCan("ENABLE_FEATURE");
  const mayDisable = useCan("DISABLE_FEATURE");
  const query = useEndpoint(getFeature, FLAG);
  const refreshes = [getFeature, getInsightsProvider];
  const enable = useCall(enableFeature, { refreshes, onSuccess: () => showSuccess(t("external.settings.turnedOn")) });
  const disable = useCall(disableFeature, {
    refreshes,
    onSuccess: () => showSuccess(t("external.settings.turnedOff")),
  });
  const error = enable.error ?? disable.error;
  return (
    <Card>
      <QueryView query={query} skeleton={<FormSkeleton fields={1} />}>
        {({ enabled }) => {
          const mayChange = enabled ? mayDisable : mayEnable;
          return (
            <div className="ac-external-shown">
              {error ? <RefusalBox error={error} /> : null}
              <Switch
                label={t("external.settings.shown")}
                description={t(mayChange ? "external.settings.shownHelp" : "external.settings.shownForbidden")}
                checked={enabled}
                disabled={!mayChange || enable.isPending || disable.isPending}
                onChange={() => (enabled ? disable : enable).mutate(FLAG)}
              />
              {enabled ? (
                <Button variant="default" component={Link} to="/insights-studio/ts/dashboards">
                  {t("external.settings.view")}
                </Button>
              ) : null}
            </div>
          );
        }}
      </QueryView>
    </Card>
  );
}

function Settings() {
  // What somebody types is not exchanged below their hands.
  const query = useEndpoint(getExternalViewSettings, {}, { refetchOnWindowFocus: false, refetchOnReconnect: false });
  return (
    <QueryView query={query} skeleton={<FormSkeleton fields={6} />}>
      {(stored) => <SettingsForm key={stored.version} stored={stored} />}
    </QueryView>
  );
}
