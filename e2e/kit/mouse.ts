/** How a person works by mouse, each action counted, and how nodes are added with it. Typing is the same as by keyboard. */
import type { Locator, Page } from "playwright-core";
import { type Builder, form, isConnection, isSelected, node, typeAndTake } from "./building.ts";
import type { Hand } from "./hands.ts";

export interface Mouse extends Hand {
  /** Moves the pointer there: no action by itself. */
  hover(what: Locator): Promise<void>;
  /** Presses so far. */
  actions(): number;
}

export function mouseOf(page: Page): Mouse {
  let count = 0;
  const press = async (what: Locator): Promise<void> => {
    count++;
    await what.click();
  };
  const replace = async (input: Locator, text: string): Promise<void> => {
    await press(input);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(text);
  };
  return {
    press,
    toggle: press,
    openRow: (row, name) => press(row.getByText(name, { exact: true }).first()),
    hover: (what) => what.hover(),
    fill: replace,
    find: async (select, text) => {
      await replace(select, text);
      await page.keyboard.press("Enter");
    },
    choose: async (select, option) => {
      await press(select);
      await press(page.getByRole("option", { name: option, exact: true }).filter({ visible: true }).first());
    },
    actions: () => count,
  };
}

/** Whether all of it lies in the graph's area, beside what is docked there. */
async function isInSight(page: Page, what: Locator): Promise<boolean> {
  const [box, area] = [await what.boundingBox(), await page.locator(".ac-canvas").boundingBox()];
  return (
    box !== null &&
    area !== null &&
    box.x > area.x &&
    box.x + box.width < area.x + area.width &&
    box.y > area.y &&
    box.y + box.height < area.y + area.height
  );
}

export function buildingByMouse(page: Page, hand: Mouse): Builder {
  /** What is out of sight comes into it: all of the graph is put in order, and shown. */
  const show = async (...all: Locator[]): Promise<void> => {
    const seen = await Promise.all(all.map((what) => isInSight(page, what)));
    if (seen.includes(false)) await hand.press(page.getByRole("button", { name: /^Tidy up/ }));
  };
  return {
    hand,
    enter: async (label) => {
      await show(node(page, label));
      await hand.press(node(page, label));
      await form(page).waitFor();
    },
    add: async (after, branch, wanted, made) => {
      const name = branch ? `Add a node after ${after}, ${branch}` : `Add a node after ${after}`;
      const plus = page.getByRole("button", { name, exact: true });
      await show(node(page, after), plus);
      // Whoever points at the node has it, and what adds to it, in front of what lies close by.
      await hand.hover(node(page, after));
      await hand.press(plus);
      await typeAndTake(page, wanted);
      if (!isConnection(wanted)) await isSelected(page, made);
    },
    select: async (labels) => {
      for (const [index, label] of labels.entries()) {
        await show(node(page, label));
        if (index > 0) await page.keyboard.down("Control");
        await hand.press(node(page, label));
        if (index > 0) await page.keyboard.up("Control");
        await isSelected(page, label);
      }
    },
  };
}
