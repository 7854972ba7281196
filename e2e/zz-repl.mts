/** Ad hoc. */
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
const browser = await chromium.connectOverCDP("http://127.0.0.1:9391");
const context = browser.contexts()[0]!;
const page = context.pages().find((p) => p.url().startsWith("http")) ?? context.pages()[0] ?? (await context.newPage());
context.setDefaultTimeout(12_000);
await page.setViewportSize({ width: 1440, height: 900 });
const shot = (name: string) => page.screenshot({ path: `/tmp/accord/shots-j/${name}.png` });
const kb = page.keyboard;
const type = async (s: string) => kb.type(s);
const focus = () =>
  page.evaluate(() => {
    const a = document.activeElement;
    return `${a?.tagName} ${a?.getAttribute("role") ?? ""} ${a?.getAttribute("aria-label") ?? a?.getAttribute("name") ?? ""} | ${(a?.textContent ?? "").slice(0, 60)}`;
  });
const keys = async (...ks: string[]) => {
  for (const k of ks) {
    await kb.press(k);
    await page.waitForTimeout(60);
  }
};
const BASE = "http://127.0.0.1:5173";
const code = readFileSync(0, "utf8");
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
try {
  const r = await new AsyncFunction("page", "shot", "keys", "type", "focus", "BASE", "context", code)(
    page,
    shot,
    keys,
    type,
    focus,
    BASE,
    context,
  );
  if (r !== undefined) console.log(typeof r === "string" ? r : JSON.stringify(r, null, 1));
} catch (e) {
  console.log(String(e).slice(0, 1500));
  await shot("error");
}
console.log("FOCUS", await focus(), page.url());
process.exit(0);
