/** What is wrong with the definition of a custom action beyond the form of its single fields. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { FieldProblem } from "@accord/contracts";
import type { CustomActionInput } from "@accord/contracts/sync/actions";
import { readTemplate } from "@accord/expressions";
import { BATCH_RECORDS, fixedOrigin } from "./request.ts";
import { fitVariable } from "./variables.ts";

/** Set for each request; another value would break it. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
  "idempotency-key",
]);

/** Where requests go may not depend on a record. */
export const NO_FIXED_ORIGIN: FieldProblem = {
  path: "endpoint",
  message: nodeSettings.fixedOrigin,
};

type Definition = Omit<CustomActionInput, "secret">;

export function customActionIssues(definition: Definition): FieldProblem[] {
  const issues = [...endpointIssues(definition), ...headerIssues(definition), ...variableIssues(definition)];
  const { authentication } = definition;
  if (authentication.type === "apiKey" && RESERVED_HEADERS.has(authentication.headerName.toLowerCase()))
    issues.push({
      path: "authentication.headerName",
      message: fill(nodeSettings.setByAccord, { name: authentication.headerName }),
    });
  return issues;
}

function endpointIssues({ endpoint, body, headers, variables, isBatch }: Definition): FieldProblem[] {
  const known = new Set(variables.map(({ name }) => name));
  const unknownIn = (path: string, text: string, isKnown: (name: string) => boolean) =>
    namesIn(text)
      .filter((name) => !isKnown(name))
      .map((name) => ({ path, message: fill(nodeSettings.unknownVariable, { variable: `{{${name}}}` }) }));
  const isVariable = (name: string) => known.has(name);
  const issues = [
    ...unknownIn("endpoint", endpoint, isVariable),
    ...unknownIn("body", body, (name) => isVariable(name) || (isBatch && name === BATCH_RECORDS)),
    ...headers.flatMap(({ value }, index) => unknownIn(`headers.${index}.value`, value, isVariable)),
  ];
  if (fixedOrigin(endpoint) === null) issues.push(NO_FIXED_ORIGIN);
  return issues;
}

function headerIssues({ headers, authentication }: Definition): FieldProblem[] {
  const credential = credentialHeaderName(authentication)?.toLowerCase();
  const names = headers.map(({ name }) => name.toLowerCase());
  return names.flatMap((name, index) => {
    const path = `headers.${index}.name`;
    if (RESERVED_HEADERS.has(name)) return [{ path, message: fill(nodeSettings.removeHeader, { name }) }];
    if (name === credential) return [{ path, message: nodeSettings.removeCredentialHeader }];
    return names.indexOf(name) === index ? [] : [{ path, message: nodeSettings.twice }];
  });
}

function variableIssues({ variables, isBatch }: Definition): FieldProblem[] {
  const names = variables.map(({ name }) => name.toLowerCase());
  const issues = variables.flatMap((variable, index) => {
    const fitted = fitVariable({ ...variable, required: false }, null);
    return "reason" in fitted ? [{ path: `variables.${index}.defaultValue`, message: fitted.reason }] : [];
  });
  for (const [index, name] of names.entries()) {
    const path = `variables.${index}.name`;
    if (names.indexOf(name) !== index) issues.push({ path, message: nodeSettings.twice });
    if (isBatch && name === BATCH_RECORDS)
      issues.push({ path, message: fill(nodeSettings.nameOfBatch, { name: BATCH_RECORDS }) });
  }
  return issues;
}

/** Name of the header that carries the credential. */
export function credentialHeaderName(authentication: Definition["authentication"]): string | null {
  switch (authentication.type) {
    case "none":
      return null;
    case "bearer":
    case "basic":
      return "authorization";
    case "apiKey":
      return authentication.headerName;
  }
}

/** Names of the variables that a text is filled with. */
export const namesIn = (text: string): string[] =>
  readTemplate(text).flatMap((part) => ("token" in part ? [part.token] : []));
