/** Fields of simulated Jira's issues: what the screen takes, what values these are and how answers spell them. */
import { isObject } from "../kit.ts";
export interface JiraField {
  id: string;
  name: string;
  schema: Record<string, unknown>;
  onScreen: boolean;
}

export const USERS = ["5b10a2844c20165700ede21g", "5b10ac8d82e05b22cc7d4ef5"].map((accountId, index) => ({
  accountId,
  accountType: "atlassian",
  displayName: ["Mia Krystof", "Emma Richards"][index],
  active: true,
  timeZone: "Etc/UTC",
}));
export const PRIORITIES = named("Highest", "High", "Medium", "Low", "Lowest");
export const ISSUE_TYPES = named("Task", "Bug", "Epic");
const OPTIONS = ["Red", "Green", "Blue"].map((value, index) => ({ id: String(10_100 + index), value }));

function named(...names: string[]): { id: string; name: string }[] {
  return names.map((name, index) => ({ id: String(index + 1), name }));
}

function system(id: string, name: string, type: string, onScreen: boolean, items?: string): JiraField {
  return { id, name, onScreen, schema: { type, ...(items === undefined ? {} : { items }), system: id } };
}

function custom(number: number, name: string, type: string, kind: string, items?: string): JiraField {
  const plugin = `com.atlassian.jira.plugin.system.customfieldtypes:${kind}`;
  const schema = { type, ...(items === undefined ? {} : { items }), custom: plugin, customId: number };
  return { id: `customfield_${number}`, name, onScreen: true, schema };
}

export const FIELDS: readonly JiraField[] = [
  system("summary", "Summary", "string", true),
  system("description", "Description", "string", true),
  system("issuetype", "Issue Type", "issuetype", true),
  system("project", "Project", "project", false),
  system("priority", "Priority", "priority", true),
  system("assignee", "Assignee", "user", true),
  system("labels", "Labels", "array", true, "string"),
  system("duedate", "Due date", "date", true),
  system("status", "Status", "status", false),
  system("created", "Created", "datetime", false),
  system("updated", "Updated", "datetime", false),
  custom(10_001, "Customer number", "string", "textfield"),
  custom(10_002, "Weight", "number", "float"),
  custom(10_003, "Delivery day", "date", "datepicker"),
  custom(10_004, "Appointment", "datetime", "datetime"),
  custom(10_005, "Colour", "option", "select"),
  custom(10_006, "Colours", "array", "multiselect", "option"),
  custom(10_007, "Contact person", "user", "userpicker"),
  custom(10_008, "Topics", "array", "labels", "string"),
];

export function jiraTime(time: number): string {
  return new Date(time).toISOString().replace("Z", "+0000");
}

type Taken = { value: unknown } | { error: string };

/** What is kept of a value; null: the field is empty. */
export function valueFor({ id, name, schema }: JiraField, value: unknown): Taken {
  if (id === "summary" && (value === null || (typeof value === "string" && value.trim() === ""))) {
    return { error: "You must specify a summary of the issue." };
  }
  if (value === null) {
    if (id === "issuetype") return { error: "Specify a valid issue type" };
    return { value: schema["type"] === "array" && id === "labels" ? [] : null };
  }
  const kind = schema["type"] === "array" ? `array of ${String(schema["items"])}` : String(schema["type"]);
  return KINDS[kind]?.(value, id, name) ?? { error: "data was not an object" };
}

const KINDS: Readonly<Record<string, (value: unknown, id: string, name: string) => Taken>> = {
  string: textFor,
  number: (value) => (typeof value === "number" ? { value } : { error: "Operation value must be a number" }),
  date: (value) => {
    const fits = typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
    return fits ? { value } : { error: `Error parsing date string: ${String(value)}` };
  },
  datetime: (value) => {
    const parts = typeof value === "string" ? /^(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}[+-]\d\d):?(\d\d)$/.exec(value) : null;
    const time = Date.parse(`${parts?.[1]}:${parts?.[2]}`);
    if (Number.isNaN(time)) return { error: `Error parsing time: ${String(value)}` };
    return { value: jiraTime(time) };
  },
  option: (value, id) => optionFor(value, id),
  user: (value) => {
    const found = isObject(value) ? USERS.find(({ accountId }) => accountId === value["accountId"]) : undefined;
    return found === undefined ? { error: "Specify a valid value for user" } : { value: found };
  },
  priority: (value) => oneOf(PRIORITIES, value, "Priority"),
  issuetype: (value) => {
    const taken = oneOf(ISSUE_TYPES, value, "Issue type");
    return "error" in taken ? { error: "Specify a valid issue type" } : taken;
  },
  "array of string": (value) => {
    if (!Array.isArray(value)) return { error: "data was not an array" };
    for (const label of value) {
      if (typeof label !== "string") return { error: "string expected at index 0" };
      if (/\s/.test(label)) return { error: `The label '${label}' contains spaces which is invalid.` };
    }
    // Labels are a set, and answers have them sorted.
    return { value: [...new Set(value.map(String))].toSorted((left, right) => (left < right ? -1 : 1)) };
  },
  "array of option": (value, id) => {
    if (!Array.isArray(value)) return { error: "data was not an array" };
    const kept: unknown[] = [];
    for (const one of value) {
      const taken = optionFor(one, id);
      if ("error" in taken) return taken;
      kept.push(taken.value);
    }
    return { value: kept.length === 0 ? null : kept };
  },
};

function textFor(value: unknown, id: string): Taken {
  if (typeof value !== "string") return { error: "Operation value must be a string" };
  if (id === "description") return { value: value === "" ? null : value };
  if (id === "summary" && /[\r\n]/.test(value)) {
    return { error: "The summary is invalid because it contains newline characters." };
  }
  if (value.length > 255) {
    const tooLong = "The entered text is too long. It exceeds the allowed limit of 255 characters.";
    return { error: id === "summary" ? "Summary can't exceed 255 characters." : tooLong };
  }
  return { value: id === "summary" ? value.trim() : value === "" ? null : value };
}

function optionFor(value: unknown, id: string): Taken {
  if (!isObject(value)) return { error: "Specify a valid 'id' or 'name' for the option" };
  const found = OPTIONS.find((one) => one.id === value["id"] || one.value === value["value"]);
  if (found !== undefined) return { value: found };
  return { error: `Option '${String(value["value"] ?? value["id"])}' is not valid for ${id}` };
}

function oneOf(known: readonly { id: string; name: string }[], value: unknown, what: string): Taken {
  if (!isObject(value)) return { error: "data was not an object" };
  const found = known.find(({ id, name }) => id === value["id"] || name === value["name"]);
  if (found !== undefined) return { value: found };
  const by = "id" in value ? "id" : "name";
  return { error: `The ${what.toLowerCase()} selected is invalid: ${by} '${String(value[by])}' is not valid` };
}
