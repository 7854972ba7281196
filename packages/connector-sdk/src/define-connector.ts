/** Makes a connector of a typed one: its author reads a parsed configuration, whoever calls it hands on a stored one. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import type { FieldProblem } from "@accord/contracts";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { z } from "zod";
import type { AuthorizationSettings } from "./authorization.ts";
import type { Connection } from "./connection.ts";
import type { AuthType, Capability, ConnectContext, ConnectorDefinition } from "./connector.ts";
import { ConnectorError } from "./errors.ts";

/** A definition as its author writes it: the configuration is parsed by `config` before `connect` and `hosts` see it. */
export interface ConnectorSpec<Config> extends Omit<
  ConnectorDefinition,
  | "hosts"
  | "destinations"
  | "problems"
  | "editProblems"
  | "signInProblems"
  | "authorization"
  | "capabilitiesOf"
  | "connect"
> {
  config: z.ZodType<Config>;
  hosts(config: Config, authType?: string): string[];
  destinations(config: Config, authType?: string): string[];
  /** What only new settings have to keep; `former` is null where there are none, or none that can be read. */
  editProblems?(config: Config, former: Config | null): FieldProblem[];
  signInProblems?(config: Config, authType: AuthType): FieldProblem[];
  authorization?(config: Config, credentials: Readonly<Record<string, string>>): AuthorizationSettings;
  /** When an entity allows less than the type; read-only entities lose the writing ones by themselves. */
  capabilitiesOf?(config: Config, entity: EntitySchema): Capability[];
  connect(context: ConnectContext, config: Config): Connection;
}

/**
 * Makes a definition from a typed one. `connect` and `hosts` throw `ConnectorError("configuration")` for a
 * configuration that `problems` complains about.
 */
export function defineConnector<Config>(spec: ConnectorSpec<Config>): ConnectorDefinition {
  const { config, hosts, destinations, connect, capabilitiesOf, editProblems, signInProblems, authorization, ...rest } =
    spec;
  // A stored configuration is asked about once for each of its entities, which it describes itself.
  const known = new WeakMap<Values, z.ZodSafeParseResult<Config>>();
  const check = (values: Values): z.ZodSafeParseResult<Config> => {
    const parsed = known.get(values) ?? config.safeParse(values);
    known.set(values, parsed);
    return parsed;
  };
  const parse = (values: Values): Config => {
    const parsed = check(values);
    if (parsed.success) return parsed.data;
    const [first] = problemsOf(parsed.error);
    throw new ConnectorError(
      "configuration",
      fill(connectionErrors.incomplete, { setting: first?.path, reason: first?.message }),
      {
        hint: connectionErrors.incompleteHint,
      },
    );
  };
  return {
    ...rest,
    signInProblems: (values, authType) => {
      const parsed = check(values);
      return parsed.success ? (signInProblems?.(parsed.data, authType) ?? []) : [];
    },
    ...(authorization && { authorization: (values, credentials) => authorization(parse(values), credentials) }),
    capabilitiesOf: (values, entity) => {
      const allowed = capabilitiesOf ? capabilitiesOf(parse(values), entity) : spec.capabilities;
      return entity.readOnly ? allowed.filter((capability) => !WRITING.has(capability)) : allowed;
    },
    hosts: (values, authType) => hosts(parse(values), authType),
    destinations: (values, authType) => destinations(parse(values), authType),
    problems: (values) => {
      const parsed = check(values);
      return parsed.success ? [] : problemsOf(parsed.error);
    },
    editProblems: (values, former) => {
      const parsed = check(values);
      if (!parsed.success) return problemsOf(parsed.error);
      return editProblems?.(parsed.data, former === null ? null : (check(former).data ?? null)) ?? [];
    },
    connect: (context) => connect(context, parse(context.config)),
  };
}

const WRITING: ReadonlySet<Capability> = new Set([
  "create",
  "update",
  "delete",
  "idempotentCreate",
  "conditionalWrite",
  "checkedWrite",
]);

const problemsOf = (error: z.ZodError): FieldProblem[] =>
  error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
