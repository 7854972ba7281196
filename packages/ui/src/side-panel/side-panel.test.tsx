/** What a person points at or types in stays where it is, while the panel shows more above it. */
import { useLayoutEffect, useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { SidePanel } from "./side-panel.tsx";

const addAbove = () => void window.dispatchEvent(new CustomEvent("more"));
const removeAbove = () => void window.dispatchEvent(new CustomEvent("less"));

function Panel() {
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const [more, less] = [() => setLong(true), () => setLong(false)];
    window.addEventListener("more", more);
    window.addEventListener("less", less);
    return () => {
      window.removeEventListener("more", more);
      window.removeEventListener("less", less);
    };
  }, []);
  return (
    <div style={{ position: "relative", height: 300 }}>
      <SidePanel title="Configure" onClose={() => {}}>
        {isLong ? <p style={{ height: 180, margin: 0 }}>Three inputs are empty.</p> : null}
        <input aria-label="System" />
        <p style={{ height: 400 }}>Below</p>
      </SidePanel>
    </div>
  );
}

const input = page.getByRole("textbox", { name: "System" });
const top = () => input.element().getBoundingClientRect().top;
const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

test("a focused input stays where it is on screen when content comes and goes above it", async () => {
  show(<Panel />);
  await input.click();
  const before = top();
  addAbove();
  await expect.element(page.getByText("Three inputs are empty.")).toBeInTheDocument();
  await twoFrames();
  expect(top()).toBeCloseTo(before, 0);
  removeAbove();
  await expect.element(page.getByText("Three inputs are empty.")).not.toBeInTheDocument();
  await twoFrames();
  expect(top()).toBeCloseTo(before, 0);
});

test("nothing scrolls by itself while no input of the panel has the focus", async () => {
  show(<Panel />);
  await expect.element(input).toBeVisible();
  addAbove();
  await expect.element(page.getByText("Three inputs are empty.")).toBeVisible();
  await twoFrames();
  expect(input.element().closest(".ac-panel__body")?.scrollTop).toBe(0);
});
