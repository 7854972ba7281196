/** Where an uploaded synapse may send requests: what it declares, with the inputs of one connection in it. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";

/** A part of a host name: nothing that begins another part, a port or a path. */
const HOST_PART = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const WHOLE = /^\{([^}]+)\}$/;

/** Throws `ConnectorError("configuration")` for inputs that make no address. */
export const originsFor = (declared: readonly string[], config: Values): string[] => [
  ...new Set(declared.map((origin) => fill(origin, config))),
];

function fill(declared: string, config: Values): string {
  const [, whole] = WHOLE.exec(declared) ?? [];
  const text =
    whole === undefined
      ? declared.replaceAll(/\{([^}]+)\}/g, (_, name: string) => hostPart(name, config[name]))
      : String(config[whole] ?? "").trim();
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw refusal(whole ?? "", "must be an address that begins with https:// or http://");
  return url.origin;
}

function hostPart(name: string, value: unknown): string {
  if (typeof value === "string" && HOST_PART.test(value)) return value;
  throw refusal(name, "must be a part of a host name: letters, digits and hyphens");
}

/** The input stands first: problems of configurations carry its name. */
export class OriginError extends ConnectorError {
  readonly input: string;
  readonly problem: string;
  constructor(input: string, problem: string) {
    super("configuration", `${input} ${problem}.`);
    this.input = input;
    this.problem = problem;
  }
}

const refusal = (input: string, problem: string): OriginError => new OriginError(input, problem);

export const hostOf = (origin: string): string => {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
};
