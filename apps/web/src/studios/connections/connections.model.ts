/** Rules of the synapse screens: which synapses show, which actions one offers, what a form sends. Pure. */
import {
  isConnectorActionAllowed,
  type Connector,
  type ConnectorAction,
  type ConnectorStatus,
  type ConnectorType,
} from "@accord/contracts/connections/connectors";
import type { Tone } from "@accord/ui";

export const STATUS_TONE: Record<ConnectorStatus, Tone> = {
  NEW: "info",
  AUTHENTICATED: "brand",
  ACTIVATING: "ember",
  ACTIVE: "ok",
  ERROR: "error",
  INACTIVE: "idle",
  DELETED: "idle",
};

export function shownConnectors(
  connectors: readonly Connector[],
  { q = "", status }: { q?: string | undefined; status?: ConnectorStatus | undefined },
): Connector[] {
  const words = q.trim().toLowerCase();
  return connectors.filter(
    (connector) =>
      (!status || connector.status === status) &&
      `${connector.name} ${connector.typeName}`.toLowerCase().includes(words),
  );
}

/** The order of the groups in the library. */
const CATEGORIES = ["application", "database", "api", "files"] as const satisfies readonly ConnectorType["category"][];

/** Kinds whose name or description has the words, by category; groups without any are left out. */
export function kindsBy(
  types: readonly ConnectorType[],
  text: string,
): { category: ConnectorType["category"]; types: ConnectorType[] }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = types.filter(({ displayName, description }) => {
    const shown = `${displayName} ${description}`.toLowerCase();
    return words.every((word) => shown.includes(word));
  });
  return CATEGORIES.map((category) => ({ category, types: found.filter((type) => type.category === category) })).filter(
    (group) => group.types.length > 0,
  );
}

/** Statuses that occur, with how many have each: for the filter. */
export function statusCounts(connectors: readonly Connector[]): { status: ConnectorStatus; count: number }[] {
  const counts = Map.groupBy(connectors, (connector) => connector.status);
  return [...counts].map(([status, those]) => ({ status, count: those.length }));
}

export interface Rights {
  write: boolean;
  test: boolean;
}

/** Actions offered now, in order; the first is the one most likely wanted. */
export function offeredActions(connector: Connector, rights: Rights): ConnectorAction[] {
  const order: ConnectorAction[] = [
    "activate",
    "refreshSchema",
    "test",
    "authenticate",
    "edit",
    "deactivate",
    "delete",
  ];
  return order.filter(
    (action) => (action === "test" ? rights.test : rights.write) && isConnectorActionAllowed(connector, action),
  );
}

export interface ConnectionForm {
  name: string;
  config: Readonly<Record<string, unknown>>;
  authType: string;
  credentials: Readonly<Record<string, unknown>>;
}

/** What is sent: blank inputs are left out, so that defaults and stored secrets count. */
export function sentConnection(type: ConnectorType, form: ConnectionForm) {
  return {
    typeId: type.id,
    config: withoutBlanks(form.config) as never,
    authType: form.authType,
    credentials: typedTexts(form.credentials),
  };
}

/** Whether its entities are described in the connection itself. */
export const isDescribedHere = ({ httpSource, custom }: Pick<Connector, "httpSource" | "custom">): boolean =>
  httpSource && !custom;

/** What was typed into the inputs of a sign-in: blank ones are left out. */
export const typedTexts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    ),
  );

export const withoutBlanks = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined),
  );

/** `config.host` → `host`: the server's words for the inputs of one part of the form. */
export function problemsUnder(part: "config" | "credentials", problems: readonly { path: string; message: string }[]) {
  return Object.fromEntries(
    problems.flatMap(({ path, message }) => {
      const [head, name] = path.split(".");
      return head === part && name ? [[name, message]] : [];
    }),
  );
}
