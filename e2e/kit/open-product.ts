/** The product with its administrator signed in: what most journeys begin with. */
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
    if (options.demo) await expectConnected(admin);
    return { product, browser, admin, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const Connectors = z.object({ connectors: z.array(z.object({ name: z.string(), status: z.string() })) });

/** A copied demo knows its systems at the ports of the home it was copied from: they are put right before any work begins. */
async function expectConnected({ page }: Visitor): Promise<void> {
  const answer = await page.request.get("/api/v1/connectors");
  const { connectors } = Connectors.parse(await answer.json());
  const failing = connectors.flatMap(({ status, name }) => (status === "ERROR" ? [name] : []));
  if (failing.length > 0) throw new Error(`not reached where they are by now: ${failing.join(", ")}`);
}
