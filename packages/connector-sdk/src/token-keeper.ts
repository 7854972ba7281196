/** A token in memory: asked for once however many calls wait for it, and again when it has ended or is refused, but not at once. */

export interface Token {
  value: string;
  /** Milliseconds since 1970; Infinity where it has no known end. */
  until: number;
}

/**
 * Between two renewals, in milliseconds, whatever life a token is given: a system that names none, a very short one, or
 * refuses every token would be asked for a new one with each call.
 */
export const LEAST_RENEWAL_MS = 10_000;

/** Tokens are asked for again this long before they end; of those that hold shortly, part of their time. */
const EARLY_MS = 30_000;
const EARLY_PART = 0.25;

interface Held extends Token {
  since: number;
  /** It came in place of another one. */
  isRenewal: boolean;
}

export class TokenKeeper {
  readonly #fetch: () => Promise<Token>;
  readonly #now: () => Date;
  #token: Promise<Token> | null = null;
  #held: Held | null = null;

  constructor(fetch: () => Promise<Token>, now: () => Date) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /**
   * `refused`: a token that is not taken any more. One that came meanwhile is used instead of another new one; the same is
   * answered where it was renewed just now.
   */
  async get(refused: string | null = null): Promise<string> {
    const held = this.#held;
    if (held && (held.value === refused || this.#isEnding(held)) && !this.#isFresh(held)) {
      this.#held = null;
      this.#token = this.#renew(true);
    }
    this.#token ??= this.#renew(false);
    return (await this.#token).value;
  }

  /** There is, or may be asked for, another one in place of a token that was refused. */
  mayReplace(refused: string | null): boolean {
    return this.#held === null || this.#held.value !== refused || !this.#isFresh(this.#held);
  }

  #isEnding({ until, since }: Held): boolean {
    return this.#now().getTime() >= until - Math.min(EARLY_MS, (until - since) * EARLY_PART);
  }

  #isFresh({ isRenewal, since }: Held): boolean {
    return isRenewal && this.#now().getTime() - since < LEAST_RENEWAL_MS;
  }

  async #renew(isRenewal: boolean): Promise<Token> {
    try {
      const token = await this.#fetch();
      this.#held = { ...token, since: this.#now().getTime(), isRenewal };
      return token;
    } catch (error) {
      this.#token = null;
      throw error;
    }
  }
}
