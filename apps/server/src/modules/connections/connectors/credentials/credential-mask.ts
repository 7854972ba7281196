/** Replaces credentials in texts that systems write: they repeat what they were sent, in several encodings. */
import { type AuthMethod, ConnectorError } from "@accord/connector-sdk";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";

/** What is shown in the place of a credential. */
export const CREDENTIAL_MASK = "•••";

/** Shorter values are parts of ordinary words: replacing those would make texts unreadable, and show which they are. */
const MIN_ANYWHERE = 4;
/** Of values this long, half is replaced as well: systems and connectors shorten what they quote. */
const MIN_SHORTENED = 16;

export class CredentialMask {
  /** Texts to replace, longest first: one may contain another. */
  #forms: string[] = [];
  readonly #known = new Set<string>();

  /** `methods`: they say which inputs are secret. What is none, such as a user name, stays readable. */
  constructor(methods: readonly AuthMethod[], credentials: Readonly<Record<string, string>>) {
    const fields = methods.flatMap((method) => method.fields);
    const isPlain = (name: string): boolean => fields.some((field) => field.name === name && !field.secret);
    const names = Object.keys(credentials);
    const valuesOf = (isWanted: (name: string) => boolean): string[] =>
      names.filter(isWanted).flatMap((name) => credentials[name]?.trim() || []);
    const secrets = valuesOf((name) => !isPlain(name));
    const pairs = valuesOf(isPlain).flatMap((user) => secrets.map((secret) => encodedForms(`${user}:${secret}`)));
    const readable = new Set(methods.flatMap((method) => method.readableMembers ?? []));
    this.#add([...secrets.flatMap((secret) => withParts(secret, readable)).flatMap(allForms), ...pairs.flat()]);
  }

  /** A credential that was given out meanwhile, such as an access token. */
  learn(secret: string): void {
    if (secret !== "" && !this.#known.has(secret)) this.#add(allForms(secret));
  }

  text(text: string): string {
    const whole = this.#forms.reduce(
      (masked, form) =>
        form.length < MIN_ANYWHERE ? maskQuoted(masked, form) : masked.replaceAll(form, CREDENTIAL_MASK),
      text,
    );
    return this.#forms.reduce(
      (masked, form) => (form.length < MIN_SHORTENED ? masked : maskShortened(masked, form)),
      whole,
    );
  }

  /** The same error where it names no credential, else one of the same kind: its stack and causes are masked too. */
  error(error: unknown): unknown {
    if (error instanceof ConnectorError) return this.connectorError(error);
    if (!(error instanceof Error)) return typeof error === "string" ? this.text(error) : error;
    const { message, stack, cause, isMasked } = this.#partsOf(error);
    if (!isMasked) return error;
    const code: unknown = "code" in error ? error.code : undefined;
    const copy = new Error(message, cause === undefined ? {} : { cause });
    return Object.assign(copy, { name: error.name, stack }, typeof code === "string" ? { code } : {});
  }

  connectorError(error: ConnectorError): ConnectorError {
    const { kind, retryAfterMs, neverSent, isFieldGone } = error;
    const { message, stack, cause, isMasked } = this.#partsOf(error);
    const hint = error.hint === undefined ? undefined : this.text(error.hint);
    if (!isMasked && hint === error.hint) return error;
    const copy = new ConnectorError(kind, message, { hint, retryAfterMs, neverSent, isFieldGone, cause });
    return Object.assign(copy, { stack });
  }

  value(value: Value): Value {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    // A copy of its members would not be one.
    if (isExactNumber(value)) return value;
    return value !== null && typeof value === "object" ? this.values(value) : value;
  }

  values(values: Values): Values {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.value(value)]));
  }

  #partsOf(error: Error) {
    const cause = error.cause === undefined ? undefined : this.error(error.cause);
    const [message, stack] = [this.text(error.message), this.text(error.stack ?? "")];
    const isMasked = message !== error.message || stack !== (error.stack ?? "") || cause !== error.cause;
    return { message, stack, cause, isMasked };
  }

  #add(forms: readonly string[]): void {
    for (const form of forms) if (form !== "") this.#known.add(form);
    this.#forms = [...this.#known].sort((one, other) => other.length - one.length);
  }
}

/**
 * A secret that is JSON holds several: a system repeats one of them. Whole numbers and words of a few letters say nothing.
 * `readable`: its members that are none.
 */
function withParts(secret: string, readable: ReadonlySet<string>): string[] {
  if (!secret.startsWith("{")) return [secret];
  try {
    const parts = Object.entries<unknown>(JSON.parse(secret)).filter(([name]) => !readable.has(name));
    return [secret, ...parts.flatMap(([, part]) => textsIn(part))];
  } catch {
    return [secret];
  }
}

function textsIn(part: unknown): string[] {
  if (typeof part === "string") return part.trim() === "" ? [] : [part];
  if (typeof part === "number") return [String(part)].filter((digits) => digits.length >= MIN_ANYWHERE);
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(textsIn) : [];
}

/** A secret as it stands in texts, JSON, addresses, forms, pages and headers. */
function allForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const inForm = new URLSearchParams({ "": secret }).toString().slice(1);
  const inPage = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const inAddresses = [encoded, inForm].flatMap((text) => [text, text.replace(/%../g, (hex) => hex.toLowerCase())]);
  return [secret, JSON.stringify(secret).slice(1, -1), inPage, ...inAddresses, ...encodedForms(secret)];
}

const encodedForms = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  return [base64, base64.replace(/=+$/, ""), bytes.toString("base64url")];
};

function maskShortened(text: string, form: string): string {
  const head = form.slice(0, Math.ceil(form.length / 2));
  let masked = "";
  let from = 0;
  for (let start = text.indexOf(head); start !== -1; start = text.indexOf(head, from)) {
    let end = start + head.length;
    while (end < text.length && text[end] === form[end - start]) end += 1;
    masked += text.slice(from, start) + CREDENTIAL_MASK;
    from = end;
  }
  return masked + text.slice(from);
}

/** Only where it stands as a value: in quotation marks, or behind a colon, an equals sign or a bracket. */
function maskQuoted(text: string, form: string): string {
  const value = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replace(new RegExp(`(?<=["'\`:=<([{]\\s?)${value}(?=$|[\\s"'\`>)\\]},;.&@])`, "g"), CREDENTIAL_MASK);
}
