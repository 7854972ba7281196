/** Shows a part of a screen in a test: its links have a router, its queries the cache of the app. */
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type AnyRouter,
  RouterProvider,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queryClient } from "./queries.ts";

/** `address`: where it is shown; a component, so that it may use the router itself. */
export function showInRouter(component: () => ReactNode, address = "/"): void {
  const routeTree = createRootRoute({ component });
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [address] }) });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

/**
 * Shows the screen of an address among those of the app behind sign-in: `{ "/users/$userId": UserScreen }`.
 * `beside` stays while screens change.
 */
export function showScreens(
  screens: Readonly<Record<string, () => ReactNode>>,
  address: string,
  beside?: ReactNode,
): AnyRouter {
  const root = createRootRoute();
  const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in" });
  const routes = Object.entries(screens).map(([path, component]) =>
    createRoute({ getParentRoute: () => signedIn, path, component }),
  );
  const router = createRouter({
    routeTree: root.addChildren([signedIn.addChildren(routes)]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      {beside}
    </QueryClientProvider>,
  );
  return router;
}
