/** The frame around every signed-in screen. */
import { Outlet } from "@tanstack/react-router";

export function Shell() {
  return <Outlet />;
}
