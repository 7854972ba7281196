/** A custom action, and its screens in a router of their own, as tests of them need both. */
import { CustomAction } from "@accord/contracts/sync/actions";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { z } from "zod";
import { keyOf, queryClient } from "../../../app/queries.ts";
import "../../../app/words.ts";
import { UnsavedGuard } from "../../../shared/unsaved-changes/unsaved-guard.tsx";
import { ActionScreen, NewActionScreen } from "./action-screen.tsx";
import { ActionsScreen } from "./actions-screen.tsx";

export const ACTION_ID = "7".repeat(24);

export const storedAction = (more: object = {}): CustomAction =>
  CustomAction.parse({
    id: ACTION_ID,
    displayName: "Rate",
    apiName: "rate",
    endpoint: "https://api.example.com/{{who}}",
    variables: [{ name: "who", required: true }],
    authentication: { type: "bearer" },
    hasSecret: true,
    revision: 3,
    updatedAt: "2026-11-01T10:00:00.000Z",
    createdBy: { firstName: "Ada", lastName: "Byron" },
    updatedBy: { firstName: "Ada", lastName: "Byron" },
    ...more,
  });

const SignedIn = () => (
  <>
    <Outlet />
    <UnsavedGuard />
  </>
);

export function openAt(address: string, permissions: readonly string[] = ["READ_STUDIO", "WRITE_STUDIO"]): void {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });
  const root = createRootRoute();
  const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: SignedIn });
  const child = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => signedIn, path, component });
  const list = createRoute({
    getParentRoute: () => signedIn,
    path: "/sync-studio/actions",
    validateSearch: z.object({ search: z.string().optional() }),
    component: ActionsScreen,
  });
  const screens = [
    list,
    child("/sync-studio/actions/new", NewActionScreen),
    child("/sync-studio/actions/$actionId", ActionScreen),
    child("/$", () => null),
  ];
  const router = createRouter({
    routeTree: root.addChildren([signedIn.addChildren(screens)]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
