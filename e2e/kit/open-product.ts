/** The product with its administrator signed in: what most journeys begin with. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { startProduct, type Product, type ProductOptions } from "./product.ts";
import { newVisitor, openBrowser, type Visitor } from "./visitor.ts";

export interface OpenProduct {
  product: Product;
  browser: Browser;
  admin: Visitor;
  /** Ends the browser and the product. */
  close(): Promise<void>;
}

export const openDemo = (): Promise<OpenProduct> => openProduct({ demo: true });

export async function openProduct(options: ProductOptions): Promise<OpenProduct> {
  const product = await startProduct(options);
  const browser = await openBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    await product.stop();
  };
  try {
    const admin = await newVisitor(browser, product.url);
    await admin.open("/");
    await admin.signIn();
    await admin.page.getByRole("heading", { name: /Hello/ }).waitFor();
    if (options.demo) await untilConnected(admin);
    return { product, browser, admin, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const CONNECTED_MS = 60_000;
const Connectors = z.object({ connectors: z.array(z.object({ name: z.string(), status: z.string() })) });

/**
 * A copied demo knows its Billing database at the port of the home it was copied from until it has started, where another
 * product may be by now that refuses its password: until it was reached at its own, Billing counts as failing.
 */
async function untilConnected({ page }: Visitor): Promise<void> {
  const failing = async (): Promise<string[]> => {
    const answer = await page.request.get("/api/v1/connectors");
    const { connectors } = Connectors.parse(await answer.json());
    return connectors.filter(({ status }) => status === "ERROR").map(({ name }) => name);
  };
  for (const end = Date.now() + CONNECTED_MS; (await failing()).length > 0; await sleep(250))
    if (Date.now() > end) throw new Error(`still failing: ${(await failing()).join(", ")}`);
}
