/** Shows a part alone on a page, as the product would: with its theme and styles. For tests of components. */
import "../styles.ts";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { UiProvider } from "../ui-provider.tsx";

let shown: { root: Root; place: HTMLElement } | undefined;

/** Puts the part on the page; what was shown before goes. */
export function show(part: ReactNode): void {
  shown?.root.unmount();
  shown?.place.remove();
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  root.render(<UiProvider>{part}</UiProvider>);
  shown = { root, place };
}
