/** How a person works by keyboard alone, and the proof that no pointer was used. */
import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";

export interface Hand {
  /** A button, a link, a row or an entry of a menu. */
  press(what: Locator): Promise<void>;
  /** Opens what a row of a table stands for, which is called so. */
  openRow(row: Locator, name: string): Promise<void>;
  /** Sets a checkbox or clears it. */
  toggle(box: Locator): Promise<void>;
  /** Types in place of what an input holds. */
  fill(input: Locator, text: string): Promise<void>;
  /** Types what a searchable choice is found by, and takes the first that fits. */
  find(select: Locator, text: string): Promise<void>;
  /** Takes an option of a list that is not searched. */
  choose(select: Locator, option: string): Promise<void>;
}

/** More stops than any screen has. */
const MAX_STOPS = 150;

/** Whether an element comes before the one that has the focus: then Shift Tab leads there sooner. */
const isBefore = (what: Locator): Promise<boolean> =>
  what.evaluate((element) => {
    const now = document.activeElement;
    if (!now || now === document.body) return false;
    return (now.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  });

export const hasFocus = (what: Locator): Promise<boolean> =>
  what.evaluate((element) => element === document.activeElement);

export interface Keyboard extends Hand {
  keys(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Tab, or Shift Tab, until it has the focus. */
  tabTo(what: Locator): Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const { keyboard } = page;
  const keys = async (...all: string[]): Promise<void> => {
    for (const key of all) await keyboard.press(key);
  };
  const tabTo = async (what: Locator): Promise<void> => {
    await what.waitFor();
    const isEntry = (await what.getAttribute("role")) === "menuitem";
    const key = isEntry ? "ArrowDown" : (await isBefore(what)) ? "Shift+Tab" : "Tab";
    for (let stops = 0; stops < MAX_STOPS; stops++) {
      if (await hasFocus(what)) return;
      await keys(key);
    }
    throw new Error(`The keyboard does not get to ${what.toString()}`);
  };
  const type = (text: string): Promise<void> => keyboard.type(text);
  const fill = async (input: Locator, text: string): Promise<void> => {
    await tabTo(input);
    await keys("Control+a");
    await type(text);
  };
  return {
    keys,
    type,
    tabTo,
    fill,
    press: async (what) => {
      await tabTo(what);
      await keys("Enter");
    },
    toggle: async (box) => {
      await tabTo(box);
      await keys("Space");
    },
    openRow: async (row) => {
      await tabTo(row);
      await keys("Enter");
    },
    find: async (select, text) => {
      await fill(select, text);
      await keys("Enter");
    },
    choose: async (select, option) => {
      await tabTo(select);
      await keys("Enter");
      const list = page
        .getByRole("listbox")
        .filter({ visible: true, has: page.getByRole("option", { name: option, exact: true }) });
      await list.waitFor();
      for (let moves = 0; moves < MAX_STOPS; moves++) {
        const marked = await list
          .locator("[data-combobox-selected]")
          .first()
          .textContent({ timeout: 1_000 })
          .catch(() => "");
        if (marked === option) return keys("Enter");
        await keys("ArrowDown");
      }
      throw new Error(`The keyboard does not get to the option ${option}`);
    },
  };
}

const KEPT = "pointer-actions";

/** From now on the browser itself notes each use of a pointer; what is answered says whether there was none. */
export async function withoutPointer(context: BrowserContext, page: Page): Promise<() => Promise<void>> {
  const note = (key: string): void =>
    addEventListener(
      "pointerdown",
      () => localStorage.setItem(key, String(Number(localStorage.getItem(key)) + 1)),
      true,
    );
  await context.addInitScript(note, KEPT);
  await page.evaluate(note, KEPT);
  return async () => expect(await page.evaluate((key) => localStorage.getItem(key), KEPT)).toBe(null);
}
