/** Where to go after signing in, and why: only ever an address and words of this product. */
import { errors } from "@accord/contracts/messages/en/errors";
import { shell } from "@accord/contracts/messages/en/shell";

/** Signs that the sign-in rule leaves alone: signing in itself, password screens, outsiders' dashboards. */
const OPEN_PREFIXES = ["/login", "/authentication", "/invited-user", "/insightssharing", "/errors", "/dev/"];

export const isOpenPath = (path: string): boolean => OPEN_PREFIXES.some((prefix) => path.startsWith(prefix));

/** A safe path inside the product, or undefined for anything that leads elsewhere or back to sign-in. */
export function safeReturnAddress(address: string | undefined, origin: string): string | undefined {
  if (!address?.startsWith("/")) return undefined;
  // Browsers read "//host" and "/\host" as another site, and drop control characters before they read.
  // oxlint-disable-next-line no-control-regex
  if (/^\/[/\\]/.test(address) || /[\u0000-\u001f]/.test(address)) return undefined;
  const url = URL.parse(address, origin);
  if (!url || url.origin !== origin || url.pathname.startsWith("/login")) return undefined;
  // "/..//host" has lost its dots by now and would read as another site again.
  if (url.pathname.startsWith("//")) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Address of the sign-in screen that comes back here afterwards and says why. */
export function signInAddress(here: string, message: string): string {
  const query = new URLSearchParams();
  if (here !== "/" && here !== "") query.set("redirectTo", here);
  if (message !== "") query.set("errorMessage", message);
  const text = query.toString();
  return `/login${text === "" ? "" : `?${text}`}`;
}

const OWN_MESSAGES: ReadonlySet<string> = new Set([
  ...Object.values(errors).map(({ message }) => message),
  shell.error.sessionExpired,
]);

/** The reason in an address, if it is one of ours: a link from elsewhere can't make the sign-in screen say things. */
export const ownMessage = (text: string | undefined): string | undefined =>
  text !== undefined && OWN_MESSAGES.has(text) ? text : undefined;
