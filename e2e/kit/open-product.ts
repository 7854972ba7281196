/** The product with its administrator signed in: what most journeys begin with. */
import type { Browser } from "playwright-core";
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
    return { product, browser, admin, close };
  } catch (error) {
    await close();
    throw error;
  }
}
