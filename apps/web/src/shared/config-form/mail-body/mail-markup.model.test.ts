/** Markup is put around what is selected, and taken away where it stands already. */
import { expect, test } from "vitest";
import { marked } from "./mail-markup.model.ts";

const around = (text: string) => {
  const from = text.indexOf("[");
  return { text: text.replace("[", "").replace("]", ""), from, to: text.indexOf("]") - 1 };
};
const shown = ({ text, from, to }: { text: string; from: number; to: number }) =>
  `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;

test("bold, italic and headings stand around what is selected; the same press takes them away", () => {
  const bold = marked(around("Hello [you]!"), "bold");
  expect(shown(bold)).toBe("Hello <b>[you]</b>!");
  expect(shown(marked(bold, "bold"))).toBe("Hello [you]!");
  expect(shown(marked(bold, "italic"))).toBe("Hello <b><i>[you]</i></b>!");
  expect(shown(marked(around("[Title]"), "heading"))).toBe("<h2>[Title]</h2>");
});

test("a link waits for its address, and a list has an item for each line", () => {
  expect(shown(marked(around("see [here]"), "link"))).toBe('see <a href="https://[]">here</a>');
  expect(shown(marked(around("[a\nb]"), "list"))).toBe("<ul>\n<li>a</li>\n<li>b</li>\n</ul>[]");
  expect(shown(marked(around("[]"), "list"))).toBe("<ul>\n<li>[]</li>\n</ul>");
});
