/** Password hashes (argon2id) and what makes a password acceptable. */
import { hash, verify } from "@node-rs/argon2";
import { AppError } from "../../../platform/http/app-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** OWASP's smallest argon2id setting: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A flood of sign-ins must not take every thread the rest of the server needs. */
const MAX_PARALLEL = 3;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= MAX_PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normal(password), COST));

let nobodysHash: Promise<string> | undefined;

/** Takes as long for an unknown user (`stored` null) as for a wrong password. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const expected = stored ?? (await (nobodysHash ??= hashPassword("nobody has this password")));
  const fits = await inTurn(() => verify(expected, normal(password))).catch(() => false);
  return fits && stored !== null;
}

/**
 * Long enough (the contract checks that) and hard to guess: not a common one, not a pattern, not made of one's own name.
 * @throws AppError `password_too_weak`
 */
export function checkPassword(password: string, person: { email: string; firstName: string; lastName: string }): void {
  const text = normal(password).toLowerCase();
  const refuse = (reason: string): never => {
    throw new AppError("password_too_weak", { reason });
  };
  if (isCommonPassword(text)) refuse("It is on the list of passwords that are tried first.");
  if (new Set(text).size < 5)
    refuse("It repeats a few characters. A sentence of several words is easy to keep in mind.");
  const own = [person.email, person.email.split("@")[0] ?? "", person.firstName, person.lastName];
  for (const part of own) {
    const known = part.toLowerCase();
    if (known.length >= 4 && text.replaceAll(known, "").length < 8) refuse("It is made of your name or address.");
  }
}

/** The same password typed on two keyboards is the same text. */
const normal = (password: string) => password.normalize("NFKC");
