/** A person at a browser: opens pages, signs in, and fails the journey on any error that the page reports. */
import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { expectAccessible } from "./accessible.ts";
import { ADMIN } from "./admin.ts";

const CHROMIUM = [
  process.env["ACCORD_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

const WORDS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ args: WORDS, ...(CHROMIUM ? { executablePath: CHROMIUM } : {}) });

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Goes to a path of the product and waits until its head is there. */
  open(path: string): Promise<void>;
  signIn(email?: string, password?: string): Promise<void>;
  /** Full path of the folder for the files of the instance, as the form of a new synapse names it. */
  filesFolder(): Promise<string>;
  /** The present screen has nothing serious by axe, and nothing was reported as broken so far. */
  isSound(): Promise<void>;
}

/** Refusals and lost connections that a journey provokes are shown by the browser as failed loads; those alone are no fault. */
const isExpected = (text: string): boolean =>
  /Failed to load resource.*(status of (400|401|403|404|409|422|429)|ERR_INTERNET_DISCONNECTED)/.test(text);

/** Of all visitors of a file: what is shown of them when one of its tests fails. */
export const openPages = new Set<Page>();

/** The same page, among those that are shown when a test fails. */
export function watched(page: Page): Page {
  openPages.add(page);
  page.on("close", () => openPages.delete(page));
  return page;
}

/** A new, clean browser window on the product. */
export async function newVisitor(browser: Browser, url: string): Promise<Visitor> {
  // Nobody watches: what moves only for the eye is shown at once.
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  // Long enough beside other journeys and tests, on a slow machine.
  context.setDefaultTimeout(60_000);
  const page = watched(await context.newPage());
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !isExpected(message.text())) faults.push(`${page.url()}: ${message.text()}`);
  });
  const open = async (path: string) => {
    await page.goto(path);
    await page.locator("h1").first().waitFor();
  };
  return {
    page,
    context,
    open,
    signIn: async (email = ADMIN.email, password = ADMIN.password) => {
      if (!new URL(page.url(), url).pathname.startsWith("/login")) await open("/login");
      await page.getByLabel("E-mail address").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
    },
    filesFolder: async () => {
      await open("/synapses/connections/new?type=files&step=connection");
      await page.getByRole("combobox", { name: "Where the files are" }).click();
      await page.getByRole("option", { name: "In a folder on the server" }).click();
      const help = await page.getByText(/^Below .* on the server/).textContent();
      return /^Below (.*) on the server/.exec(help ?? "")?.[1] ?? "";
    },
    isSound: async () => {
      await expectAccessible(page);
      if (faults.length > 0) throw new Error(`The page reported faults:\n${faults.join("\n")}`);
    },
  };
}
