/** Where screens are scrolled to as one goes on, comes back, and opens forms beside them. */
import { useSearch } from "@tanstack/react-router";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keepScroll } from "./keep-scroll.ts";
import { showScreens } from "../../app/show-in-router.fixtures.tsx";

let stop: (() => void) | undefined;
afterEach(() => stop?.());

const TALL = { height: 2000 };
const LOW = { height: 200, overflow: "auto" };

function Screen({ name }: { name: string }) {
  const { form }: { form?: string } = useSearch({ strict: false });
  return (
    <>
      <main data-scroll-area="screen" style={LOW}>
        <h1>{name}</h1>
        <p style={TALL} />
      </main>
      {form ? (
        <div key={form} role="complementary" aria-label={form} style={LOW}>
          <p style={TALL} />
        </div>
      ) : null}
    </>
  );
}

const open = async () => {
  const router = showScreens(
    { "/list": () => <Screen name="List" />, "/record": () => <Screen name="Record" /> },
    "/list",
  );
  stop = keepScroll(router);
  await expect.element(page.getByRole("heading", { name: "List" })).toBeInTheDocument();
  return router;
};
const content = () => page.getByRole("main").element();
const scrollTo = async (element: Element, top: number) => {
  element.scrollTop = top;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
};

test("another screen begins at its top, and Back returns to where the list was left", async () => {
  const router = await open();
  await scrollTo(content(), 700);
  router.history.push("/record");
  await expect.element(page.getByRole("heading", { name: "Record" })).toBeInTheDocument();
  expect(content().scrollTop).toBe(0);
  await scrollTo(content(), 300);
  router.history.back();
  await expect.element(page.getByRole("heading", { name: "List" })).toBeInTheDocument();
  await expect.poll(() => content().scrollTop).toBe(700);
  router.history.forward();
  await expect.element(page.getByRole("heading", { name: "Record" })).toBeInTheDocument();
  await expect.poll(() => content().scrollTop).toBe(300);
});

test("[SYN-046] a form opens at its top although another one in its place was scrolled, and the screen stays where it is", async () => {
  const router = await open();
  router.history.push("/list?form=First");
  const form = (name: string) => page.getByRole("complementary", { name });
  await expect.element(form("First")).toBeInTheDocument();
  await scrollTo(content(), 500);
  await scrollTo(form("First").element(), 400);
  router.history.push("/list");
  await expect.element(form("First")).not.toBeInTheDocument();
  router.history.push("/list?form=Second");
  await expect.element(form("Second")).toBeInTheDocument();
  await new Promise((done) => setTimeout(done, 100));
  expect(form("Second").element().scrollTop).toBe(0);
  expect(content().scrollTop).toBe(500);
});
