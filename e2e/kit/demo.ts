/** The product with its demo and its administrator signed in: what most journeys begin with. */
import type { Browser } from "playwright-core";
import { startProduct, type Product } from "./product.ts";
import { newVisitor, openBrowser, type Visitor } from "./visitor.ts";

export interface Demo {
  product: Product;
  browser: Browser;
  admin: Visitor;
  /** Ends the browser and the product. */
  close(): Promise<void>;
}

export async function openDemo(): Promise<Demo> {
  const product = await startProduct({ demo: true });
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
