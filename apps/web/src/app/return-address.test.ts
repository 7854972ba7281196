/** T9: after signing in nobody lands on another site, however the address is spelled. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ownMessage, safeReturnAddress, signInAddress } from "./return-address.ts";

const ORIGIN = "https://accord.example";
const HOSTS = [
  "evil.example",
  "evil.example/login",
  "accord.example.evil.example",
  "evil.example@accord.example",
  "[::1]",
];
const BEFORE = [
  ...["https://", "http://", "//", "///", "////", "/\\", "\\\\", "\\/", "/\\/", "/ /", "/\t/", "/\n/", "\t//", " //"],
  ...[
    "https:",
    "https:/",
    "https:\\\\",
    "javascript://",
    "data://",
    "/..//",
    "/../\\",
    "/.//",
    "/./\\",
    "/a/..//",
    "/%2e%2e//",
  ],
  ...["/%2e//", "/%09/", "/\u0000/", "/\u00a0//", "//%5c", "/;//", "/?//../", "@", ".", "%2f%2f"],
];
const CORPUS = BEFORE.flatMap((before) => HOSTS.map((host) => before + host));

/** Where a browser goes that is told to follow the answer. */
const lands = (answer: string) => new URL(answer, ORIGIN).origin;

describe("[T9] the return address", () => {
  test("the corpus is large enough to mean something", () => expect(CORPUS.length).toBeGreaterThanOrEqual(170));

  test.each(CORPUS)("%j leads to this product or nowhere", (address) => {
    const answer = safeReturnAddress(address, ORIGIN);
    if (answer !== undefined) expect([lands(answer), answer.startsWith("/")]).toEqual([ORIGIN, true]);
  });

  test("no text at all leads elsewhere", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "%2f",
      "%5c",
      "%2e",
      "@",
      ":",
      "?",
      "#",
      "evil.example",
      "https:",
      "\t",
      "a",
    );
    const address = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 12 }).map((parts) => `/${parts.join("")}`),
    );
    fc.assert(
      fc.property(address, (text) => {
        const answer = safeReturnAddress(text, ORIGIN);
        if (answer !== undefined) expect(lands(answer)).toBe(ORIGIN);
      }),
      { numRuns: 5_000 },
    );
  });

  test("an address of the product is kept with its query and fragment; the sign-in screen itself is not", () => {
    const here = "/data-studio/entity/1?filter=a%26b#row-3";
    expect(safeReturnAddress(here, ORIGIN)).toBe(here);
    expect(safeReturnAddress("/login?redirectTo=/x", ORIGIN)).toBeUndefined();
    expect(safeReturnAddress(undefined, ORIGIN)).toBeUndefined();
    const signIn = new URL(signInAddress(here, "Your session has ended."), ORIGIN);
    expect(signIn.searchParams.get("redirectTo")).toBe(here);
    expect(signIn.searchParams.get("errorMessage")).toBe("Your session has ended.");
  });

  test("the reason shown is one of ours, whatever an address says", () => {
    const why = "Your session has ended. Please sign in again.";
    expect(ownMessage(why)).toBe(why);
    for (const text of [undefined, "", "Call +1 555 0100 to unlock your account.", `${why} `, "<b>Please sign in.</b>"])
      expect(ownMessage(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(ownMessage(text)).toBeUndefined();
      }),
    );
  });
});
