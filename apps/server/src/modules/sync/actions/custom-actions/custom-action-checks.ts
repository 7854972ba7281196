/** Custom actions before they are saved: what saving would refuse, and one request sent as a test. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import type { FieldProblem, Id } from "@accord/contracts";
import type { CustomActionInput } from "@accord/contracts/sync/actions";
import type { ActionTestResult } from "@accord/contracts/sync/custom-action-checks";
import { customActionIssues, fitVariables } from "@accord/sync-engine/actions";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { FetchReply } from "../../../../platform/outbound/outbound.ts";
import { CREDENTIAL_MASK, type CredentialMask } from "../../../connections/connectors/index.ts";
import type { customActionService } from "./custom-actions.service.ts";
import { openSecret, prepareRequest } from "./custom-requests.ts";
import { exchangeOnce, sentHeaders } from "../http-call.ts";

type InstanceId = Id<"instance">;
/** `actionId`: the stored action of which this is a change. */
type Candidate = CustomActionInput & { actionId?: Id<"customAction"> | undefined };

/** Longer answers are cut. */
const MAX_SHOWN = 64_000;

export function customActionChecks(
  deps: Pick<Deps, "secrets" | "clock" | "newId" | "outbound">,
  actions: ReturnType<typeof customActionService>,
) {
  const { clock, newId, outbound } = deps;
  const storedOf = (instanceId: InstanceId, actionId: Candidate["actionId"]) =>
    actionId ? actions.stored(instanceId, actionId) : Promise.resolve(null);

  return {
    async validate(instanceId: InstanceId, { actionId, ...input }: Candidate): Promise<FieldProblem[]> {
      const stored = await storedOf(instanceId, actionId);
      const problems = customActionIssues(input);
      const name = input.apiName.toLowerCase();
      const others = (await actions.list(instanceId)).filter(({ id }) => id !== actionId);
      if (others.some(({ apiName }) => apiName.toLowerCase() === name))
        problems.push({ path: "apiName", message: actionFailures.nameInUse });
      if (problems.some(({ path }) => path === "endpoint")) return problems;
      try {
        await actions.checkSecret(instanceId, input, stored);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        problems.push(...(error.errors.length > 0 ? error.errors : [OTHER_ORIGIN]));
      }
      return problems;
    },

    /** Sends the request once with the test values. */
    async test(instanceId: InstanceId, { actionId, ...input }: Candidate): Promise<ActionTestResult> {
      const { secret: given, ...definition } = input;
      const stored = await storedOf(instanceId, actionId);
      const { values, problems } = fitVariables(definition.variables, definition.variableValues);
      const unfit = problems.map(({ name, reason }) => ({ path: `variableValues.${name}`, message: reason }));
      const errors = [...customActionIssues(definition), ...unfit];
      if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
      const isOpen = definition.authentication.type === "none";
      const lent = stored && !isOpen ? await openSecret(deps, instanceId, { ...stored, definition }) : null;
      const { request, mask } = prepareRequest(definition, [values], isOpen ? null : (given ?? lent));
      const requestId = newId();
      const began = clock.monotonicMs();
      const { attempt, reply } = await exchangeOnce(outbound, request, requestId);
      const durationMs = Math.round(clock.monotonicMs() - began);
      const { message, body, ...outcome } = attempt.outcome;
      const headers = sentHeaders(request, requestId);
      for (const name of request.secretHeaders ?? []) headers[name] = CREDENTIAL_MASK;
      return {
        ...outcome,
        message: message && mask.text(message),
        body: mask.value(body),
        durationMs,
        request: {
          method: request.method,
          url: mask.text(request.url),
          headers: maskedHeaders(headers, mask),
          body: request.body && mask.text(request.body),
        },
        response: reply && shownResponse(reply, mask),
      };
    },
  };
}

const OTHER_ORIGIN: FieldProblem = {
  path: "secret",
  message: actionFailures.secretOfOtherHost,
};

const maskedHeaders = (headers: Readonly<Record<string, string>>, mask: CredentialMask): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask.text(value)]));

function shownResponse({ status, headers, body }: FetchReply, mask: CredentialMask) {
  const text = mask.text(new TextDecoder().decode(body));
  return {
    status,
    headers: maskedHeaders(headers, mask),
    body: text.slice(0, MAX_SHOWN),
    isCut: text.length > MAX_SHOWN,
  };
}
