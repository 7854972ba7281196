/** A token in memory: asked for once however many calls wait for it, and again when it has ended or is refused. */

export interface Token {
  value: string;
  /** Milliseconds since 1970; Infinity where it has no known end. */
  until: number;
}

/** Tokens are asked for again this long before they end. */
const EARLY_MS = 30_000;

export class TokenKeeper {
  readonly #fetch: () => Promise<Token>;
  readonly #now: () => Date;
  #token: Promise<Token> | null = null;
  #held: Token | null = null;

  constructor(fetch: () => Promise<Token>, now: () => Date) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** `refused`: a token that is not taken any more. One that came meanwhile is used instead of another new one. */
  async get(refused: string | null = null): Promise<string> {
    const held = this.#held;
    const isSpent = held !== null && (held.value === refused || this.#now().getTime() >= held.until - EARLY_MS);
    if (isSpent) {
      this.#token = null;
      this.#held = null;
    }
    this.#token ??= this.#renew();
    return (await this.#token).value;
  }

  async #renew(): Promise<Token> {
    try {
      const token = await this.#fetch();
      this.#held = token;
      return token;
    } catch (error) {
      this.#token = null;
      throw error;
    }
  }
}
