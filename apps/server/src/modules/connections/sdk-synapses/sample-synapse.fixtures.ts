/** A synapse as authors write one, for tests: contacts of a small API that tests serve. */
export const sampleSynapse = (more = ""): string => `
import { ConnectorError, defineSynapse, jsonOf, sendRequest } from "@accord/connector-sdk";

const FIELDS = [
  { apiName: "id", displayName: "Id", dataType: "string", isIdField: true },
  { apiName: "name", displayName: "Name", dataType: "string" },
  { apiName: "age", displayName: "Age", dataType: "integer" },
];
async function ask(context, method, path, body) {
  const answer = await sendRequest(context, {
    method,
    url: new URL(path, context.config.baseUrl),
    headers: { authorization: "Bearer " + (context.credentials.token ?? ""), ...(body && { "content-type": "application/json" }) },
    secretHeaders: ["authorization"],
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status === 401) throw new ConnectorError("authentication", "The token is not accepted.", { hint: "Enter another." });
  if (!answer.ok) throw new ConnectorError("unexpected", "It answered " + answer.status + ".");
  return jsonOf(answer);
}
export const synapse = defineSynapse({
  displayName: "Contacts",
  description: "Contacts of a small API.",
  configFields: [{ name: "baseUrl", label: "Address", datatype: "url", required: true }],
  authMethods: [{ type: "bearerToken", label: "Token", fields: [{ name: "token", label: "Token", datatype: "password", secret: true, required: true }] }],
  capabilities: ["read", "create"],
  origins: ["{baseUrl}"],
  readPageSize: 2,
  connect: (context) => ({
    async check() { await ask(context, "GET", "/contacts?from=0"); },
    discover: () => [{ apiName: "contact", displayName: "Contact", fields: FIELDS }],
    async read({ cursor, pageSize }) {
      const from = cursor ?? 0;
      const found = await ask(context, "GET", "/contacts?from=" + from + "&count=" + pageSize);
      const records = found.map(({ id, ...values }) => ({ id: String(id), values: { id: String(id), ...values } }));
      return { records, cursor: from + records.length, drained: records.length < pageSize };
    },
    async write({ operations }) {
      const outcomes = [];
      for (const { values } of operations) {
        const made = await ask(context, "POST", "/contacts", values);
        outcomes.push({ status: "done", id: String(made.id) });
      }
      return outcomes;
    },
    ${more}
  }),
});
`;
