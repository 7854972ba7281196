/** A custom action while it is edited: what is new, what is wrong by field, and what differs from another version. Pure. */
import { CustomActionInput, type ActionVariable, type CustomAction } from "@accord/contracts/sync/actions";
import type { Value, Values } from "@accord/contracts/data/values";
import {
  credentialHeaderName,
  customActionIssues,
  customRequest,
  fitVariables,
  fixedOrigin,
} from "@accord/sync-engine/actions";
import { identifierFrom } from "../../../shared/names.ts";

export type ActionDraft = CustomActionInput;
export type Problems = Readonly<Record<string, string>>;

export const NEW_VARIABLE: ActionVariable = {
  name: "",
  type: "any",
  required: false,
  multivalued: false,
  defaultValue: null,
};

type EditedFields = Omit<ActionDraft, "secret">;

export const NEW_ACTION: EditedFields = {
  displayName: "",
  description: "",
  apiName: "",
  iconPath: "bolt",
  basicHelpText: "",
  helpLink: "",
  tags: [],
  method: "POST",
  endpoint: "",
  headers: [],
  body: "",
  variables: [],
  authentication: { type: "none" },
  repeatable: false,
  isBatch: false,
  batchSize: 100,
  timeoutSeconds: 30,
  variableValues: {},
};

const FIELDS: readonly (keyof EditedFields)[] = [
  "displayName",
  "apiName",
  "description",
  "iconPath",
  "basicHelpText",
  "helpLink",
  "tags",
  "method",
  "endpoint",
  "headers",
  "body",
  "variables",
  "authentication",
  "repeatable",
  "isBatch",
  "batchSize",
  "timeoutSeconds",
  "variableValues",
];

/** What of a stored action is edited. */
export const draftOf = (action: CustomAction): ActionDraft =>
  CustomActionInput.parse(Object.fromEntries(FIELDS.map((name) => [name, action[name]])));

/** Names of the fields that two versions have otherwise; a secret that was typed is one of them. */
export function differingFields(draft: ActionDraft, other: ActionDraft): (keyof ActionDraft)[] {
  const names: (keyof ActionDraft)[] = FIELDS.filter(
    (name) => JSON.stringify(draft[name]) !== JSON.stringify(other[name]),
  );
  return draft.secret ? [...names, "secret"] : names;
}

export interface StoredSecret {
  hasSecret: boolean;
  /** Where it may be sent. */
  origin: string | null;
}

export const NO_SECRET: StoredSecret = { hasSecret: false, origin: null };

export const storedSecretOf = (action: CustomAction): StoredSecret => ({
  hasSecret: action.hasSecret,
  origin: fixedOrigin(action.endpoint),
});

/** Whether a credential that is stored was entered for another host. */
export const isOtherHost = ({ endpoint }: Pick<ActionDraft, "endpoint">, stored: StoredSecret): boolean =>
  stored.hasSecret && stored.origin !== fixedOrigin(endpoint);

interface SecretWords {
  required: string;
  otherHost: string;
}

/** By dotted path. The server finds the same, and names that are taken. */
export function draftProblems(draft: ActionDraft, stored: StoredSecret, words: SecretWords): Problems {
  const problems: Record<string, string> = {};
  const parsed = CustomActionInput.safeParse(toInput(draft));
  for (const issue of parsed.error?.issues ?? []) problems[issue.path.join(".")] ??= issue.message;
  for (const { path, message } of customActionIssues(draft)) problems[path] ??= message;
  if (draft.authentication.type !== "none" && !draft.secret) {
    if (!stored.hasSecret) problems["secret"] = words.required;
    else if (!problems["endpoint"] && isOtherHost(draft, stored)) problems["secret"] = words.otherHost;
  }
  return problems;
}

/** As the server takes it: a secret that was not typed is left out. */
export function toInput({ secret, ...draft }: ActionDraft): ActionDraft {
  return secret && draft.authentication.type !== "none" ? { ...draft, secret } : draft;
}

export const MASK = "••••••••";

/** The request of the test values, with the credential masked; problems by variable where there is none. */
export function previewOf(draft: ActionDraft, stored: StoredSecret) {
  const { values, problems } = fitVariables(draft.variables, draft.variableValues);
  const header = credentialHeaderName(draft.authentication);
  const hasSecret = Boolean(draft.secret) || stored.hasSecret;
  const scheme = { none: "", bearer: "Bearer ", basic: "Basic ", apiKey: "" }[draft.authentication.type];
  const credentials = header && hasSecret ? { [header.toLowerCase()]: `${scheme}${MASK}` } : {};
  return {
    request: customRequest(draft, [values], credentials),
    problems: new Map(problems.map(({ name, reason }) => [name, reason])),
  };
}

/** `Notify billing` → `notify_billing`. */
export const apiNameFrom = (displayName: string): string => identifierFrom(displayName, 80);

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Fields of a record by the variable that has their name. */
export function matchFields(
  variables: readonly ActionVariable[],
  fields: readonly { apiName: string; displayName: string }[],
): Map<string, string> {
  const matches = variables.flatMap(({ name }) => {
    const wanted = plainName(name);
    const field = fields.find(({ apiName, displayName }) => [apiName, displayName].map(plainName).includes(wanted));
    return field ? [[name, field.apiName] as const] : [];
  });
  return new Map(matches);
}

/** The test values with those of a record's fields. */
export const withFields = (values: Values, fieldByVariable: ReadonlyMap<string, string>, record: Values): Values => ({
  ...values,
  ...Object.fromEntries([...fieldByVariable].map(([name, field]): [string, Value] => [name, record[field] ?? null])),
});

/** A rename keeps what was entered for a test. */
export function renameVariable(draft: ActionDraft, index: number, name: string): ActionDraft {
  const before = draft.variables[index];
  if (!before) return draft;
  const { [before.name]: value, ...others } = draft.variableValues;
  return {
    ...draft,
    variables: draft.variables.with(index, { ...before, name }),
    variableValues: value === undefined || name === "" ? draft.variableValues : { ...others, [name]: value },
  };
}
