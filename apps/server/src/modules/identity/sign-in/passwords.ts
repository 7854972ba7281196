/** What makes a password acceptable. */
import { AppError } from "../../../platform/http/app-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

/**
 * Long enough (the contract checks that) and hard to guess: not a common one, not a pattern, not made of one's own name.
 * @throws AppError `password_too_weak`
 */
export function checkPassword(password: string, person: { email: string; firstName: string; lastName: string }): void {
  const text = password.normalize("NFKC").toLowerCase();
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
