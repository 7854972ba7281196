/** The body of a mail is written with tokens and simple markup, previewed with a record's values, and reads back as it was typed. */
import { decodeBody, encodeBody } from "@accord/contracts/sync/mail-body";
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../../app/words.ts";
import { TokenSamplesProvider } from "../../token-picker/token-samples.tsx";
import { TOKENS } from "../../token-picker/token-text.fixtures.ts";
import { ConfigForm } from "../config-form.tsx";

const INPUTS = [
  {
    name: "body",
    label: "Body",
    datatype: "emailBody",
    dependsOn: { dependantField: "format", dependantType: "mailFormat" },
  },
];
const SAMPLES = {
  record: "Acme",
  sampleOf: (token: string) => (token === "previous.values.Name" ? "Acme <b>Ltd</b>" : undefined),
};

/** Answers the body as it is stored. */
function showMail(body = "", format = "html"): () => unknown {
  let stored: unknown = encodeBody(body);
  function Form() {
    const [values, setValues] = useState<Record<string, unknown>>({ body: stored, format });
    stored = values["body"];
    return (
      <TokenSamplesProvider value={SAMPLES}>
        <ConfigForm inputs={INPUTS} values={values} onChange={setValues} tokens={TOKENS} />
      </TokenSamplesProvider>
    );
  }
  show(<Form />);
  return () => stored;
}
const body = () => page.getByRole("textbox", { name: "Body" });
const preview = () => page.getByRole("document", { name: "Preview" });
const openPreview = () => page.getByText("Preview", { exact: true }).click();

test("[SYN-048] what is typed in a body is stored in base64 and reads back the same, lines, tokens and markup", async () => {
  const text = "Grüße, {{previous.values.Name}}\n\n<b>100 %</b> &amp; <i>more</i>\n<p style='color:red'>x</p>";
  const stored = showMail();
  await body().fill(text);
  await expect.poll(() => decodeBody(String(stored()))).toBe(text);
  expect(stored()).not.toContain("previous");
  showMail(decodeBody(String(stored())));
  await expect.element(body()).toHaveValue(text);
});

test("[SYN-048] scripts are left out of a formatted body that is stored, and stay in plain text", async () => {
  const stored = showMail();
  await body().fill("a<script>alert(1)</script>b");
  await expect.poll(() => decodeBody(String(stored()))).toBe("ab");
  const plain = showMail("", "text");
  await body().fill("a<script>x</script>b");
  await expect.poll(() => decodeBody(String(plain()))).toBe("a<script>x</script>b");
});

test("buttons and keys put markup around what is selected", async () => {
  const stored = showMail("Hello you");
  await body().click();
  await userEvent.keyboard("{End}{Shift>}{ArrowLeft}{ArrowLeft}{ArrowLeft}{/Shift}{Control>}b{/Control}");
  await expect.poll(() => decodeBody(String(stored()))).toBe("Hello <b>you</b>");
  await page.getByRole("button", { name: /^Italic/ }).click();
  await expect.poll(() => decodeBody(String(stored()))).toBe("Hello <b><i>you</i></b>");
});

test("the preview shows markup and line breaks, the record's values as text, and tokens without a value as they are", async () => {
  showMail(
    'Dear {{previous.values.Name}},\nsee <a href="https://example.com">this</a> {{Value From Upper}}\n<ul>\n<li>one</li>\n</ul>',
  );
  await openPreview();
  await expect.element(preview()).toHaveTextContent("Dear Acme <b>Ltd</b>,see this {{Value From Upper}} one");
  expect(preview().element().querySelectorAll("b")).toHaveLength(0);
  expect(preview().element().querySelectorAll("br")).toHaveLength(1);
  expect(preview().element().querySelector("a")?.title).toBe("https://example.com");
  expect(preview().element().querySelector("a")?.hasAttribute("href")).toBe(false);
  await expect.element(page.getByText("With the values of Acme.")).toBeVisible();
});

test("nothing of a body runs or is fetched in its preview", async () => {
  const asked: string[] = [];
  const observer = new PerformanceObserver((list) => asked.push(...list.getEntries().map(({ name }) => name)));
  observer.observe({ type: "resource" });
  showMail(
    '<img src="/picture-of-mail.png" alt="Logo" onerror="window.ran=1"><iframe src="/frame-of-mail"></iframe><p onclick="x" style="position:fixed">y</p>',
  );
  await openPreview();
  await expect.element(preview()).toHaveTextContent("[Logo]y");
  expect(preview().element().querySelectorAll("img, iframe, [style], [onclick]")).toHaveLength(0);
  expect(asked.filter((name) => name.includes("of-mail"))).toEqual([]);
  expect("ran" in window).toBe(false);
  observer.disconnect();
});

test("a body of plain text has no markup buttons, and its preview shows it as it is", async () => {
  showMail("<b>x</b>\n{{previous.values.Name}}", "text");
  expect(page.getByRole("toolbar").elements()).toHaveLength(0);
  await openPreview();
  await expect.element(preview()).toHaveTextContent("<b>x</b> Acme <b>Ltd</b>");
});
