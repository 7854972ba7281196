/** What stands under the bell: results of background work in this tab, newest first. */
import { create } from "zustand";

export interface Notice {
  id: string;
  at: number;
  variant: "success" | "info" | "warning" | "error";
  message: string;
  description?: string | undefined;
  to?: string | undefined;
}

const MOST = 50;

export const useNotices = create<{ notices: readonly Notice[]; unread: number }>(() => ({ notices: [], unread: 0 }));

export function addNotice(notice: Omit<Notice, "id" | "at">): void {
  const made = { ...notice, id: crypto.randomUUID(), at: Date.now() };
  useNotices.setState(({ notices, unread }) => ({ notices: [made, ...notices].slice(0, MOST), unread: unread + 1 }));
}

export const markNoticesRead = (): void => useNotices.setState({ unread: 0 });
