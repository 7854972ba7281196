/** Text rules of names, as forms apply them. */
import { expect, test } from "vitest";
import { hasTidySpaces, PATTERN, sanitiseName, stripControls, stripTags, truncate } from "./names.ts";

test("[PLT-087] a name is sanitised to lower case words joined by underscores, tags and control characters fall out", () => {
  expect(sanitiseName("My A$1-x")).toBe("my_a1-x");
  expect(sanitiseName("A+B", { plus: true })).toBe("a+b");
  expect(sanitiseName("A+B")).toBe("ab");
  expect(stripTags("<b>x</b> < 3")).toBe("x < 3");
  expect(stripControls("a\u0000b\tc")).toBe("abc");
  expect(hasTidySpaces("a , b")).toBe(false);
  expect(hasTidySpaces("a  b")).toBe(false);
  expect(hasTidySpaces("a,b c")).toBe(true);
});

test("[PLT-086] each pattern takes good values and refuses bad ones", () => {
  const cases: Record<keyof typeof PATTERN, { good: string[]; bad: string[] }> = {
    digits: { good: ["0", "42"], bad: ["", "4.2", "x"] },
    idLike: { good: ["a_B-9"], bad: ["a b", "ä", ""] },
    words: { good: ["a_9"], bad: ["a-b", ""] },
    url: { good: ["https://a.example/x?y=1", "HTTP://b"], bad: ["ftp://a", "https:// a", "a.example"] },
    email: { good: ["a@b.example"], bad: ["a@b", "a b@c.de", "@c.de"] },
    domain: { good: ["a.example", "x-1.co.uk"], bad: ["a", "-a.example", "a..b", "a_b.example"] },
    leadingSlash: { good: ["/", "/a"], bad: ["a/", ""] },
  };
  for (const [name, { good, bad }] of Object.entries(cases)) {
    const pattern = PATTERN[name as keyof typeof PATTERN];
    for (const text of good) expect(pattern.test(text), `${name} takes ${text}`).toBe(true);
    for (const text of bad) expect(pattern.test(text), `${name} refuses ${text}`).toBe(false);
  }
});

test("long text ends in an ellipsis", () => {
  expect(truncate("abcdef", 4)).toBe("abc…");
  expect(truncate("abcd", 4)).toBe("abcd");
});
