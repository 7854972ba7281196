/** Says in words what a test leaves out: actions, and questions to other systems. Pure. */
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { ActionPayload } from "@accord/sync-engine/actions";
import type { Skipped } from "./simulate.ts";

/** Longest text of a message that is shown. */
const EXCERPT = 300;

/** `isHidden`: the pipeline has secret fields, and any of them may be part of a text. */
export function skippedCall(skipped: Skipped, isHidden: boolean): { kind: string; message: string } {
  if (skipped.kind === "action") {
    const { call } = skipped;
    const what = isHidden ? call.label : workText(call.work);
    return { kind: "action", message: fill(words.skipped.action, { what }) };
  }
  const { dataRequest } = skipped;
  if (dataRequest.kind === "externalRecords")
    return { kind: dataRequest.kind, message: fill(words.skipped.externalRecords, { ...dataRequest }) };
  const service = dataRequest.kind === "provider" ? dataRequest.service : dataRequest.kind;
  return { kind: dataRequest.kind, message: fill(words.skipped.provider, { service }) };
}

function workText(work: ActionPayload): string {
  const short = (text: string): string => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
  switch (work.kind) {
    case "email":
      return fill(words.work.email, { to: short(work.to.join(", ")), subject: short(work.subject) });
    case "http":
      // Keys often stand behind the question mark.
      return fill(words.work.http, { method: work.method, url: short(work.url.split("?")[0] ?? "") });
    case "custom":
      return words.work.custom;
    case "createExternal":
      return fill(words.work.createExternal, { entity: work.entity });
    case "updateExternal":
      return fill(words.work.updateExternal, { entity: work.entity, id: short(work.externalId) });
    case "deleteExternal":
      return fill(words.work.deleteExternal, { entity: work.entity, id: short(work.externalId) });
    case "createCore":
      return fill(words.work.createCore, { entity: work.entity });
    case "updateCore":
      return fill(words.work.updateCore, { entity: work.entity, field: work.field });
    case "deleteCore":
      return fill(words.work.deleteCore, { entity: work.entity, field: work.field });
    case "notify":
      return fill(words.work.notify, { text: short(work.text) });
    case "chat":
      return fill(words.work.chat, { service: work.service, text: short(work.text) });
    case "log":
      return fill(words.work.log, { text: short(work.text) });
  }
}
