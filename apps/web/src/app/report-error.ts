/** Sends a crash of the page home: what broke, where, in which browser. Never input values or tokens. */
import { reportError as sendReport } from "@accord/contracts/operations/health";
import { call } from "./api.ts";

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
    componentStack: componentStack.slice(0, 4_000),
    browserInfo: navigator.userAgent.slice(0, 500),
    url: location.pathname,
  };
  const sent = await call(sendReport, { body }).then(
    () => true,
    () => false,
  );
  return { sent, id };
}
