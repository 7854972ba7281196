/** One question to a language model in the chat completions form: bounded in tokens, bytes and time, asked once. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { z } from "zod";
import { AppError } from "../../../../platform/http/app-error.ts";
import { type Outbound, OutboundError } from "../../../../platform/outbound/outbound.ts";

export interface CompletionRequest {
  system: string;
  user: string;
  /** What the answer is bound to. */
  schema: { name: string; json: Record<string, unknown> };
  maxTokens: number;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

interface Model {
  /** The base address, or that of the chat completions themselves. */
  endpoint: string;
  model: string;
  credential: Record<string, string>;
  host: string;
}

const PATH = "/chat/completions";

const Answer = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

export function completionsUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith(PATH) ? path : `${path}${PATH}`;
  return url.href;
}

/** The text of the answer. @throws AppError `upstream_failed`, `upstream_timeout`, `assistant_answer_invalid` */
export async function complete(outbound: Outbound, model: Model, request: CompletionRequest): Promise<string> {
  const system = model.host.replace(/^https?:\/\//, "");
  const { status, body } = await exchange(outbound, model, request, system);
  // What a service answers with an error may repeat what it was sent: only its status is shown.
  if (status < 200 || status >= 300)
    throw new AppError("upstream_failed", { system, reason: `It answered ${status}.` });
  const answer = Answer.safeParse(parsed(body));
  const choice = answer.data?.choices[0];
  if (!choice) throw invalid(actionFailures.noCompletion);
  if (choice.message.refusal) throw invalid(actionFailures.modelRefused);
  if (choice.finish_reason === "length") throw invalid(actionFailures.answerCutOff);
  return choice.message.content ?? "";
}

async function exchange(outbound: Outbound, model: Model, request: CompletionRequest, system: string) {
  try {
    return await outbound.guardedFetch(completionsUrl(model.endpoint), {
      method: "POST",
      headers: { "content-type": "application/json", ...model.credential },
      secretHeaders: Object.keys(model.credential),
      body: JSON.stringify({
        model: model.model,
        temperature: 0,
        max_tokens: request.maxTokens,
        response_format: {
          type: "json_schema",
          json_schema: { name: request.schema.name, strict: true, schema: request.schema.json },
        },
        messages: [
          { role: "system", content: request.system },
          { role: "user", content: request.user },
        ],
      }),
      timeoutMs: request.timeoutMs,
      maxBytes: request.maxBytes,
      maxRedirects: 0,
      signal: request.signal,
    });
  } catch (error) {
    // Whoever left is no failure of the service or of ours.
    request.signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === "timeout") throw new AppError("upstream_timeout", { system }, { cause: error });
    throw new AppError("upstream_failed", { system, reason: error.message }, { cause: error });
  }
}

const invalid = (reason: string): AppError => new AppError("assistant_answer_invalid", { reason });

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
