/**
 * What the frame says about the screen in it: `usePage({ title, crumbs })` sets the document title ("Title - Accord")
 * and the breadcrumbs. A crumb is words with an address, or the kind and id of an object whose name the frame finds.
 */
import { PRODUCT } from "@accord/contracts";
import { useEffect } from "react";
import { create } from "zustand";
import type { CrumbKind } from "./crumb-names.ts";

export type Crumb = ({ label: string } | { kind: CrumbKind; id: string }) & {
  to?: string;
  /** What stands in the address behind `to`. */
  search?: Readonly<Record<string, string>>;
};

export interface Page {
  title: string;
  /** From the outermost to this screen; the last one is not a link. */
  crumbs: readonly Crumb[];
}

export const usePageStore = create<{ page: Page }>(() => ({ page: { title: "", crumbs: [] } }));

export const documentTitle = (title: string): string => (title === "" ? PRODUCT.name : `${title} - ${PRODUCT.name}`);

export function usePage({ title, crumbs = [{ label: title }] }: { title: string; crumbs?: readonly Crumb[] }): void {
  const signature = JSON.stringify([title, crumbs]);
  useEffect(() => {
    const [nextTitle, nextCrumbs] = JSON.parse(signature) as [string, Crumb[]];
    document.title = documentTitle(nextTitle);
    usePageStore.setState({ page: { title: nextTitle, crumbs: nextCrumbs } });
  }, [signature]);
}
