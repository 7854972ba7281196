/** What every screen of the external view stands in: only while its feature is on and its product known, with its tabs. */
import type { Permission } from "@accord/contracts";
import { getInsightsProvider } from "@accord/contracts/insights/external-view";
import { EmptyState, FormSkeleton, PageBody, PageHeader } from "@accord/ui";
import { Button, Tabs } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { NotFoundScreen } from "../../../frame/error-screens/error-screens.tsx";
import { usePage } from "../../../app/page.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { can, useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import "./external-view.css";

/** The product as its screens know it. */
export interface Product {
  name: string;
  hasLists: boolean;
}

export const TABS = ["dashboards", "datasets", "datacards", "search", "view"] as const;
export type ExternalTab = (typeof TABS)[number];

const ADDRESS = {
  dashboards: "/insights-studio/ts/dashboards",
  datasets: "/insights-studio/ts/datasets",
  datacards: "/insights-studio/ts/datacards",
  search: "/insights-studio/ts/search",
  view: "/insights-studio/ts/$",
} as const;

const NEEDED: Partial<Record<ExternalTab, Permission>> = { datasets: "READ_INSIGHTS", datacards: "VIEW_DATACARD" };

export interface ExternalLayoutProps {
  tab: ExternalTab;
  title: string;
  /** More than the tab needs. */
  needs?: Permission;
  actions?: (product: Product) => ReactNode;
  children: (product: Product) => ReactNode;
}

/** Of an address of the external view; while the feature is off there is no such page. */
export function ExternalLayout(props: ExternalLayoutProps) {
  return (
    <Demand anyOf={["READ_DASHBOARD"]}>
      <WhileActive {...props} />
    </Demand>
  );
}

function WhileActive({ tab, needs, ...props }: ExternalLayoutProps) {
  const status = useEndpoint(getInsightsProvider);
  return (
    <QueryView query={status} skeleton={<FormSkeleton />} isScreen>
      {({ status: state, isConfigured, name, hasLists, mayConfigure }) => {
        if (state === "inactive") return <NotFoundScreen />;
        return (
          <Demand anyOf={[NEEDED[tab] ?? "READ_DASHBOARD"]} alsoNeeds={needs}>
            <Screen
              {...props}
              tab={tab}
              product={isConfigured ? { name, hasLists } : null}
              mayConfigure={mayConfigure}
            />
          </Demand>
        );
      }}
    </QueryView>
  );
}

interface ScreenProps extends Omit<ExternalLayoutProps, "needs"> {
  /** Null until it is configured. */
  product: Product | null;
  mayConfigure: boolean;
}

function Screen({ tab, title, product, mayConfigure, actions, children }: ScreenProps) {
  const { t } = useWords("insights");
  const isTab = title === t(`external.tabs.${tab}`);
  usePage({
    title,
    crumbs: [
      { label: t("title"), to: "/insights-studio" },
      { label: t("external.title"), to: "/insights-studio/ts/dashboards" },
      ...(isTab ? [] : [{ label: t(`external.tabs.${tab}`), to: ADDRESS[tab] }]),
      { label: title },
    ],
  });
  const configure = mayConfigure ? (
    <Button variant="default" component={Link} to="/insights-studio/external-view">
      {t("external.configure")}
    </Button>
  ) : null;
  return (
    <PageBody fill>
      <PageHeader
        title={title}
        subtitle={product ? t("external.subtitle", { name: product.name }) : undefined}
        actions={
          product ? (
            <>
              {configure}
              {actions?.(product)}
            </>
          ) : null
        }
      />
      <ExternalTabs tab={tab} />
      {product ? (
        children(product)
      ) : (
        <EmptyState
          icon={<IconPlugConnected size={22} />}
          title={t("external.offTitle")}
          body={t(mayConfigure ? "external.offBody" : "external.offAsk")}
          action={configure}
        />
      )}
    </PageBody>
  );
}

function ExternalTabs({ tab }: { tab: ExternalTab }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const session = useSession();
  const shown = TABS.filter((one) => can(session, NEEDED[one] ?? "READ_DASHBOARD"));
  return (
    <Tabs
      value={tab}
      // Each tab is a page of its own: arrows go on to the next tab, and Enter opens it.
      activateTabWithKeyboard={false}
      onChange={(next) => {
        const chosen = TABS.find((one) => one === next);
        if (chosen) void navigate({ to: ADDRESS[chosen], params: { _splat: "" } });
      }}
    >
      <Tabs.List aria-label={t("external.tabs.label")}>
        {shown.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`external.tabs.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
