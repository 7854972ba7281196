/** The page's content-policy nonce, for libraries that add style elements of their own. "" in development. */
export const cspNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
