/** Starts the browser app. */
import { describeInputs } from "@accord/contracts/messages/en/input-problems";
import "@accord/ui/styles";
import { UiProvider } from "@accord/ui";
import { Notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.layer.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { setCallHooks } from "./app/api.ts";
import { ErrorBoundary } from "./frame/error-boundary.tsx";
import { queryClient } from "./app/queries.ts";
import { cspNonce } from "./app/nonce.ts";
import { fillInForPlainHttp } from "./plain-http.ts";
import { closeStream } from "./app/realtime.ts";
import { isOpenPath, signInAddress } from "./app/return-address.ts";
import { router } from "./router.tsx";
import { sessionQuery } from "./app/session.ts";
import { loadAllWords, words } from "./app/words.ts";

fillInForPlainHttp();
describeInputs();
setCallHooks({
  unauthorised: (error) => {
    const { pathname, searchStr } = router.state.location;
    if (isOpenPath(pathname)) return;
    closeStream();
    const wasSignedIn = queryClient.getQueryData(sessionQuery.queryKey) !== undefined;
    const why = wasSignedIn ? words.t("shell:error.sessionExpired") : error.message;
    const href = signInAddress(`${pathname}${searchStr}`, why);
    // The screen keeps its data until it is gone, and no question about unsaved work stands in the way: it is kept.
    void router.navigate({ href, replace: true, ignoreBlocker: true }).then(() => queryClient.clear());
  },
  gatewayTimeout: () => void router.navigate({ href: "/errors/error-504" }),
});

const nonce = cspNonce();
// The name under which the scroll lock of dialogs looks for the nonce of the style element it adds.
Object.assign(globalThis, { __webpack_nonce__: nonce });
const root = document.querySelector("#root");
if (!root) throw new Error("The page has no #root");

createRoot(root).render(
  <StrictMode>
    <UiProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary>
          <RouterProvider router={router} />
          <Notifications position="bottom-center" limit={4} autoClose={5_000} />
        </ErrorBoundary>
      </QueryClientProvider>
    </UiProvider>
  </StrictMode>,
);

if ("requestIdleCallback" in globalThis) requestIdleCallback(() => void loadAllWords());
else setTimeout(() => void loadAllWords(), 2_000);

if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/service-worker.js");
