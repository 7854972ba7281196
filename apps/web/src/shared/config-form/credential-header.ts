/** Names of headers that hold credentials, as far as a name tells. */
const CREDENTIAL =
  /^(proxy-)?authorization$|^cookie$|(^|[-_.])(api-?key|apikey|key|token|secret|password|credential|signature|pat)s?$/i;

/** Keys of requests that are no secrets. */
const HARMLESS = /^(idempotency|partition|correlation|routing)[-_.]?key$/i;

export const isCredentialHeader = (name: unknown): boolean =>
  typeof name === "string" && CREDENTIAL.test(name.trim()) && !HARMLESS.test(name.trim());
