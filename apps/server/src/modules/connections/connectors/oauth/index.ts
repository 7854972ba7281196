/** Signing in at systems by OAuth 2: its endpoints, and access tokens for connections. */
import * as api from "@accord/contracts/connections/oauth-sign-in";
import { Redirect } from "../../../../platform/http/redirect.ts";
import { route, type Route } from "../../../../platform/module.ts";
import type { SignInUseCases } from "./sign-in.service.ts";

export { accessTokensOf, type GrantedConnection } from "./access-tokens.ts";
export { endBackOff } from "./grants.store.ts";
export { newRedirectName, redirectAfter, redirectOriginsOf, sharedRedirectUrl } from "./redirect-url.ts";
export { sharedOf } from "./redirect-names.ts";
export { signInService } from "./sign-in.service.ts";
export { deleteGrantOf } from "./sign-ins.store.ts";

export const signInRoutes = (service: SignInUseCases): Route[] => [
  route(api.getConnectorSignIn, (ctx, { params }) => service.view(ctx, params.connectorId)),
  route(api.beginConnectorSignIn, (ctx, { params, body }) =>
    service.begin(ctx, params.connectorId, {
      isOwnWindow: body.window === "own",
      useAccountOf: body.useAccountOf ?? null,
    }),
  ),
  route(
    api.finishConnectorSignIn,
    async (ctx, { params, query }) => new Redirect(await service.finish(ctx, query, params.redirectName)),
  ),
  route(
    api.finishConnectorSignInAtSharedAddress,
    async (ctx, { query }) => new Redirect(await service.finish(ctx, query, null)),
  ),
];
