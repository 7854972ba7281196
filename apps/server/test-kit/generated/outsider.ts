/** Somebody outside who opened a dashboard that was shared with them. */
import { encodeEmail, openSharedDashboard } from "@accord/contracts/insights/sharing";
import { shareCookieName } from "../../src/platform/http/request/session-cookie.ts";
import { makeCaller, type Caller } from "../caller.ts";
import type { CallParts } from "../fixtures/index.ts";
import { makePublished, makeShare } from "../fixtures/insights.ts";
import type { Place, TestApp } from "../test-app.ts";

/** With a session for one dashboard of the instance, and what its calls take. */
export async function outsider(t: TestApp, own: Place): Promise<{ caller: Caller; input: CallParts }> {
  const dashboardId = await makePublished(t, own);
  const { share, password } = await makeShare(t, own, dashboardId);
  const body = { email: encodeEmail(share.email), dashboardId, secret: password ?? "" };
  const opened = await t.anonymous.send(openSharedDashboard, { body });
  const cookie = opened.cookies.get(shareCookieName(t.deps.config.baseUrl)) ?? "";
  const caller = makeCaller({
    http: t.app.http,
    cookies: { [shareCookieName(t.deps.config.baseUrl)]: cookie },
    token: t.forgery.token(null),
  });
  const { rows } = await t.deps.appPool.query("SELECT cards FROM dashboard WHERE id = $1", [dashboardId]);
  return { caller, input: { params: { dashboardId, cardId: rows[0].cards[0].id }, body: { variablesMap: {} } } };
}
