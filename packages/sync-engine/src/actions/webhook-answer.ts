/** What a Respond to Webhook node answers, filled from the record that arrives there. */
import { z } from "zod";
import type { RunEnv } from "../functions/run-env.ts";
import { compileText } from "../functions/kinds/value-function.ts";
import type { NodeContext } from "../functions/define.ts";
import type { FlowRecord } from "../functions/flow.ts";
import { readTemplate } from "@accord/expressions";
import { fillBody, fillHeader } from "./fill-text.ts";

export const RESPOND_TO_WEBHOOK = "respondToWebhook";

export interface WebhookAnswer {
  status: number;
  headers: { name: string; value: string }[];
  body: string;
}

const DataResult = z.looseObject({
  responseCode: z.coerce.number().int().min(200).max(599).catch(200),
  headers: z.array(z.object({ name: z.string(), value: z.string().default("") })).catch([]),
  responseTemplate: z.string().catch(""),
});

export function compileWebhookAnswer(
  configuration: Readonly<Record<string, unknown>>,
  context: NodeContext,
): (record: FlowRecord, env: RunEnv) => WebhookAnswer {
  const { responseCode, headers, responseTemplate } = DataResult.parse(configuration);
  const texts = [responseTemplate, ...headers.map(({ value }) => value)];
  const names = texts.flatMap((text) => readTemplate(text).flatMap((part) => ("token" in part ? [part.token] : [])));
  const reads = new Map(names.map((name) => [name, compileText(`{{${name}}}`, context, "responseTemplate")]));
  return (record, env) => {
    const read = (name: string) => reads.get(name)?.(record, env) ?? null;
    return {
      status: responseCode,
      headers: headers.map(({ name, value }) => ({ name, value: fillHeader(value, read) })),
      body: fillBody(responseTemplate, read),
    };
  };
}
