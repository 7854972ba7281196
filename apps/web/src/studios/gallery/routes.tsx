/** The gallery of parts: every `*.gallery.tsx` of the product on one page, in both colour schemes. */
import { createRoute } from "@tanstack/react-router";
import { z } from "zod";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { openRoute } from "../../frame/root-routes.tsx";

const galleryRoute = createRoute({
  getParentRoute: () => openRoute,
  path: "/dev/gallery",
  validateSearch: z.object({
    part: z.string().optional().catch(undefined),
    scheme: z.enum(["both", "light", "dark"]).optional().catch(undefined),
  }),
  component: lazyScreen(() => import("./gallery-screen.tsx"), "GalleryScreen"),
});

export const galleryRoutes = [galleryRoute] as const;
