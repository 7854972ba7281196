/** Pages of the external product with an address of their own here: one dashboard, one data card, a copy, and any other. */
import type { ExternalItem, ExternalViewKind } from "@accord/contracts/insights/external-view";
import {
  listExternalDashboards,
  listExternalDataCards,
  listExternalDatasets,
} from "@accord/contracts/insights/external-view";
import { useParams } from "@tanstack/react-router";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { BackToDataset } from "./back-to-dataset.tsx";
import { ExternalFrame } from "./external-frame.tsx";
import { ExternalLayout } from "./external-layout.tsx";

const LIST_OF = {
  dashboards: listExternalDashboards,
  datasets: listExternalDatasets,
  datacards: listExternalDataCards,
} as const;

/** What the list called it, for whoever comes from there; else its id. The product is not asked for it. */
export function knownName(kind: keyof typeof LIST_OF, key: string): string {
  const list = queryClient.getQueryData<{ items: ExternalItem[] }>(keyOf(LIST_OF[kind], {}));
  return list?.items.find(({ id }) => id === key)?.name ?? key;
}

function useKey(): string {
  const { key = "" } = useParams({ strict: false });
  return key;
}

export function ExternalDashboardScreen() {
  const key = useKey();
  return <Framed tab="dashboards" view="dashboard" title={knownName("dashboards", key)} pageKey={key} />;
}

export function ExternalDataCardScreen() {
  const key = useKey();
  return <Framed tab="datacards" view="dataCard" title={knownName("datacards", key)} pageKey={key} />;
}

export function ExternalDatasetCopyScreen() {
  const { t } = useWords("insights");
  const key = useKey();
  const title = t("external.datasetCopy", { name: knownName("datasets", key) });
  return (
    <ExternalLayout tab="datasets" title={title} needs="CREATE_DATASET" actions={() => <BackToDataset pageKey={key} />}>
      {(product) => (
        <>
          <p className="ac-quiet">{t("external.datasetCopyBody", { name: product.name })}</p>
          <ExternalFrame key={key} product={product} view="datasetCopy" pageKey={key} title={title} />
        </>
      )}
    </ExternalLayout>
  );
}

/** Everything else that the product has. */
export function ExternalPathScreen() {
  const { t } = useWords("insights");
  const { _splat: path = "" } = useParams({ strict: false });
  return <Framed tab="view" view="path" title={t("external.tabs.view")} pageKey={path} />;
}

interface FramedProps {
  tab: "dashboards" | "datacards" | "view";
  view: ExternalViewKind;
  title: string;
  pageKey: string;
}

function Framed({ tab, view, title, pageKey }: FramedProps) {
  return (
    <ExternalLayout tab={tab} title={title}>
      {(product) => <ExternalFrame key={pageKey} {...{ product, view, pageKey, title }} />}
    </ExternalLayout>
  );
}
