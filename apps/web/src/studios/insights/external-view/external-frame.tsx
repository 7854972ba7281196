/** A page of the external product, opened with a token that is fetched for it. */
import { API_PREFIX } from "@accord/contracts";
import {
  EXTERNAL_FRAME_PATH,
  type ExternalViewKind,
  getExternalViewToken,
} from "@accord/contracts/insights/external-view";
import { ErrorBox, FormSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { AccessProblem } from "./access-problem.tsx";
import type { Product } from "./external-layout.tsx";

/** Each page that is opened has a token of its own, which is never asked for by itself. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnReconnect: false, retry: false } as const;

/**
 * The product may run scripts, keep its own cookies, send forms, open windows and save files; it can't leave its frame.
 * It is of another origin than this page, so that none of that reaches in here.
 */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-downloads";

export interface ExternalFrameProps {
  product: Product;
  view: ExternalViewKind;
  pageKey: string;
  /** What is opened, for screen readers. */
  title: string;
}

export function ExternalFrame({ product, view, pageKey, title }: ExternalFrameProps) {
  const { t } = useWords("insights");
  const token = useEndpoint(getExternalViewToken, { query: { view, key: pageKey } }, ONCE);
  const reload = (): void => void token.refetch();
  if (token.error) return <AccessProblem error={token.error} onRetry={reload} />;
  if (!token.data) return <FormSkeleton />;
  const { address, token: current } = token.data;
  return (
    <div className="ac-external__view">
      <Framed
        key={current}
        address={address}
        onLoadedAgain={reload}
        title={t("external.frame", { title, name: product.name })}
      />
      <div className="ac-external__foot">
        <Button
          variant="subtle"
          color="idle"
          size="xs"
          leftSection={<IconRefresh size={14} />}
          loading={token.isFetching}
          onClick={reload}
        >
          {t("external.reload")}
        </Button>
      </div>
    </div>
  );
}

const FRAME_PATH = `${API_PREFIX}${EXTERNAL_FRAME_PATH}`;

interface FramedProps {
  address: string;
  title: string;
  /** The token was used: a page that is loaded again needs another one. */
  onLoadedAgain: () => void;
}

/**
 * The outer frame is a page of our own without content, whose policy allows the product's origin. The product's frame is
 * put into it from here: so that this page's own policy needs to allow no foreign origin, wherever somebody goes next.
 */
function Framed({ address, title, onLoadedAgain }: FramedProps) {
  const { t } = useWords("insights");
  const [inside, setInside] = useState<HTMLElement>();
  const [isBlocked, setBlocked] = useState(false);
  const isForeign = URL.canParse(address) && new URL(address).origin !== location.origin;
  if (isBlocked || !isForeign)
    return <ErrorBox title={t("external.accessTitle")} message={t("external.frameBlocked")} />;
  return (
    <>
      <iframe
        className="ac-external__frame"
        title={title}
        src={FRAME_PATH}
        onLoad={({ currentTarget }) => {
          if (inside) return onLoadedAgain();
          // None where the browser shows a refusal in its place.
          const body = currentTarget.contentDocument?.body;
          if (body && currentTarget.contentDocument?.contentType === "text/html") setInside(body);
          else setBlocked(true);
        }}
      />
      {inside
        ? createPortal(
            <iframe title={title} sandbox={SANDBOX} referrerPolicy="no-referrer" allow="fullscreen" src={address} />,
            inside,
          )
        : null}
    </>
  );
}
