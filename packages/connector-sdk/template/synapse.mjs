/** An example synapse: the tasks of a small JSON API. Copy the folder and write your system's calls in place of these. */
import { ConnectorError, defineSynapse, jsonOf, sendRequest } from "@accord/connector-sdk";

const TASK = {
  apiName: "task",
  displayName: "Task",
  pluralName: "Tasks",
  fields: [
    { apiName: "id", displayName: "Id", isIdField: true, updateable: false, initializable: false },
    { apiName: "title", displayName: "Title" },
    { apiName: "done", displayName: "Done", dataType: "boolean" },
    {
      apiName: "updatedAt",
      displayName: "Changed at",
      dataType: "datetime",
      isWatermarkField: true,
      updateable: false,
    },
  ],
};

/** One request; whatever goes wrong is thrown with its kind, so that Accord knows what to do and people what to fix. */
async function request(context, method, path, body) {
  const answer = await sendRequest(context, {
    method,
    url: new URL(path, context.config.baseUrl),
    headers: {
      authorization: `Bearer ${context.credentials.token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    // Named here, credentials are masked wherever the system repeats them.
    secretHeaders: ["authorization"],
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status === 401)
    throw new ConnectorError("authentication", "The token is not accepted.", { hint: "Enter another token." });
  if (answer.status === 429)
    throw new ConnectorError("rateLimited", "Too many requests.", {
      retryAfterMs: Number(answer.headers["retry-after"] ?? 60) * 1000,
    });
  if (answer.status >= 500) throw new ConnectorError("unavailable", `The system answered ${answer.status}.`);
  return answer;
}

const toRecord = ({ id, ...values }) => ({
  id: String(id),
  values: { id: String(id), ...values },
  ...(values.updatedAt && { modifiedAt: values.updatedAt }),
});

export const synapse = defineSynapse({
  displayName: "Tasks",
  description: "Tasks of a small JSON API.",
  configFields: [{ name: "baseUrl", label: "Address", datatype: "url", required: true }],
  authMethods: [
    {
      type: "bearerToken",
      label: "Token",
      fields: [{ name: "token", label: "Token", datatype: "password", secret: true, required: true }],
    },
  ],
  // The only addresses that it may send requests to; an approver reads them.
  origins: ["{baseUrl}"],
  capabilities: ["read", "create", "update", "delete", "readChanges", "readByWatermark"],
  readPageSize: 100,
  writeBatchSize: 10,

  connect: (context) => ({
    async check() {
      await request(context, "GET", "/tasks?limit=1");
    },
    discover: () => [TASK],
    async read({ cursor, mode, pageSize }) {
      // `cursor` is whatever the last page answered; null means from the beginning.
      const { after = "", offset = 0 } = cursor ?? {};
      const since = mode === "changes" ? after : "";
      const answer = await request(
        context,
        "GET",
        `/tasks?since=${encodeURIComponent(since)}&offset=${offset}&limit=${pageSize}`,
      );
      const tasks = jsonOf(answer);
      const drained = tasks.length < pageSize;
      const latest = tasks.reduce((max, { updatedAt }) => (updatedAt > max ? updatedAt : max), cursor?.latest ?? after);
      return {
        records: tasks.map(toRecord),
        // Drained: the next reading asks for what changed since. Else the same question goes on.
        cursor: drained ? { after: latest } : { after, latest, offset: offset + tasks.length },
        drained,
      };
    },
    async write({ operations }) {
      const outcomes = [];
      for (const operation of operations) outcomes.push(await writeOne(context, operation));
      return outcomes;
    },
  }),
});

async function writeOne(context, { kind, id, values }) {
  const path = kind === "create" ? "/tasks" : `/tasks/${encodeURIComponent(id)}`;
  const method = { create: "POST", update: "PATCH", delete: "DELETE" }[kind];
  const answer = await request(context, method, path, values);
  if (answer.status === 404) return { status: "missing" };
  if (answer.status === 400 || answer.status === 422)
    return { status: "rejected", code: "refused", message: answer.text.slice(0, 500) };
  if (kind === "delete") return { status: "done", id };
  return { status: "done", id: String(jsonOf(answer).id) };
}
