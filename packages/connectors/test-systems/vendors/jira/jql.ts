/** JQL of simulated Jira: a project, times of change and creation, AND, and an order. */
export interface Ordered {
  key: string;
  number: number;
  created: number;
  updated: number;
}

export class JqlError extends Error {}

const UNBOUNDED = "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.";

export function parseJql(
  jql: string,
  project: { key: string; id: string; name: string },
): (all: Ordered[]) => Ordered[] {
  const [, where = "", order] = /^(.*?)(?:(?:^|\s+)order\s+by\s+(.*))?$/is.exec(jql.trim()) ?? [];
  if (where.trim() === "") throw new JqlError(UNBOUNDED);
  const tests = where
    .trim()
    .split(/\s+and\s+/i)
    .map((clause) => clauseOf(clause.trim(), project));
  const compare = orderOf(order ?? "created DESC");
  return (all) => all.filter((issue) => tests.every((test) => test(issue))).toSorted(compare);
}

function clauseOf(clause: string, project: { key: string; id: string; name: string }): (issue: Ordered) => boolean {
  const [, field = "", sign = "", quoted] = /^(\w+)\s*(>=|<=|!=|=|>|<)\s*(.+)$/s.exec(clause) ?? [];
  const value = quoted?.replace(/^(["'])(.*)\1$/s, "$2");
  if (value === undefined || (quoted === value && /\s/.test(value))) {
    throw new JqlError(`Error in the JQL Query: Expecting operator before the end of the query near '${clause}'.`);
  }
  const name = field.toLowerCase();
  if (name === "project" && sign === "=") {
    const known = [project.key, project.id, project.name].some((one) => one.toLowerCase() === value.toLowerCase());
    if (!known) throw new JqlError(`The value '${value}' does not exist for the field 'project'.`);
    return () => true;
  }
  if (name === "key" || name === "issuekey") return (issue) => issue.key === value.toUpperCase();
  if (name !== "updated" && name !== "created") {
    throw new JqlError(`Field '${field}' does not exist or you do not have permission to view it.`);
  }
  const time = timeOf(value, name);
  const tests: Readonly<Record<string, (left: number) => boolean>> = {
    ">=": (left) => left >= time,
    ">": (left) => left > time,
    "<=": (left) => left <= time,
    "<": (left) => left < time,
    "=": (left) => left === time,
  };
  return (issue) => tests[sign]?.(issue[name]) ?? false;
}

/** Milliseconds since 1970, or a text in the user's time zone, which is UTC here. */
function timeOf(value: string, field: string): number {
  if (/^\d{5,}$/.test(value)) return Number(value);
  const parts = /^(\d{4})[-/](\d\d)[-/](\d\d)(?: (\d\d):(\d\d))?$/.exec(value);
  const time =
    parts === null ? Number.NaN : Date.parse(`${parts.slice(1, 4).join("-")}T${parts[4] ?? "00"}:${parts[5] ?? "00"}Z`);
  if (!Number.isNaN(time)) return time;
  throw new JqlError(
    `Date value '${value}' for field '${field}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.`,
  );
}

function orderOf(order: string): (left: Ordered, right: Ordered) => number {
  const by = order.split(",").map((part) => {
    const [, field = "", direction = "asc"] = /^(\w+)(?:\s+(asc|desc))?$/i.exec(part.trim()) ?? [];
    const name = field.toLowerCase();
    const sign = direction.toLowerCase() === "desc" ? -1 : 1;
    if (name === "key" || name === "issuekey") return { of: "number" as const, sign };
    if (name === "created" || name === "updated") return { of: name, sign } as const;
    throw new JqlError(`Not able to sort using field '${part.trim()}'.`);
  });
  return (left, right) => {
    for (const { of, sign } of by) if (left[of] !== right[of]) return sign * (left[of] - right[of]);
    return right.number - left.number;
  };
}
