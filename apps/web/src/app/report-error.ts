/** Sends a crash of the page home: what broke, where, in which browser. Never input values or tokens. */
import { API_PREFIX, CSRF } from "@accord/contracts";
import { antiForgeryToken } from "./api.ts";

/** Reports once; says whether the report arrived, and its id to quote. */
export async function reportError(error: unknown, componentStack: string): Promise<{ sent: boolean; id: string }> {
  const id = crypto.randomUUID();
  const facts = error instanceof Error ? error : new Error(String(error));
  const body = {
    phoneHomeId: id,
    errorMessage: facts.message.slice(0, 2_000),
    errorStack: (facts.stack ?? "").slice(0, 8_000),
    state: "",
    actions: "",
    componentStack: componentStack.slice(0, 8_000),
    browserInfo: navigator.userAgent,
    url: location.pathname,
  };
  const sent = await fetch(`${API_PREFIX}/phoneHome`, {
    method: "POST",
    headers: { "content-type": "application/json", [CSRF.header]: antiForgeryToken() },
    body: JSON.stringify(body),
  }).then(
    (response) => response.ok,
    () => false,
  );
  return { sent, id };
}
