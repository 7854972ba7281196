/** Small parts that several simulated systems use: how callers signed in, and records of JSON that came in. */
import type { Call, Reply } from "./server.ts";

export type Json = Record<string, unknown>;

/** What a person does in the system itself, past the connector, to records of the main entity. */
export interface Outside {
  create(): Promise<string>;
  update(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The token of `Authorization: Bearer`; undefined when the caller signed in otherwise or not. */
export const bearerOf = ({ headers }: Call): string | undefined =>
  /^bearer\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1]?.trim();

/** User name and password of `Authorization: Basic`. */
export function basicOf({ headers }: Call): { user: string; password: string } | undefined {
  const encoded = /^basic\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [user = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return { user, password: rest.join(":") };
}

/** A whole number within its bounds; null when the text is none. */
export function wholeNumber(text: string, from: number, to: number): number | null {
  const number = /^-?\d+$/.test(text) ? Number(text) : NaN;
  return number >= from && number <= to ? number : null;
}

/** Thrown where a call is refused; the handler answers it. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.reply = reply;
  }
}

/** A handler whose parts may throw a refusal. */
export const refusing =
  (handle: (call: Call) => Reply) =>
  (call: Call): Reply => {
    try {
      return handle(call);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  };
