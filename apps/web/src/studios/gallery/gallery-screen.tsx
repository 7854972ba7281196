/** Shows each part in its states, light and dark side by side. A part is listed by having a `*.gallery.tsx` file. */
import { galleryFiles } from "./gallery-files.ts";
import { cssVariablesResolver, theme } from "@accord/ui";
import { MantineProvider, SegmentedControl } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense, use, useRef, useState, type ComponentType, type ReactNode } from "react";
import { usePage } from "../../app/page.ts";
import { cspNonce } from "../../app/nonce.ts";
import "./gallery-screen.css";

const route = getRouteApi("/open/dev/gallery");

/** What a gallery file exports: named examples, in order. */
interface GalleryModule {
  [example: string]: ComponentType;
}

const loaded = new Map<string, Promise<GalleryModule>>();

function load(path: string): Promise<GalleryModule> {
  const known = loaded.get(path);
  if (known) return known;
  const file = galleryFiles[path];
  const promise = file ? (file() as Promise<GalleryModule>) : Promise.resolve({});
  loaded.set(path, promise);
  return promise;
}

const nameOf = (path: string): string => path.split("/").at(-1)?.replace(".gallery.tsx", "") ?? path;
/** "WithRows" → "With rows" */
const titleOf = (example: string): string =>
  example.charAt(0) + example.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export function GalleryScreen() {
  usePage({ title: "Gallery" });
  const { part, scheme = "both" } = route.useSearch();
  const navigate = route.useNavigate();
  const paths = Object.keys(galleryFiles).sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const shown = paths.find((path) => nameOf(path) === part) ?? paths[0];
  return (
    <div className="ac-gallery">
      <nav aria-label="Parts">
        <h1>Gallery</h1>
        <ul>
          {paths.map((path) => (
            <li key={path}>
              <Link
                to="/dev/gallery"
                search={{ part: nameOf(path), scheme }}
                aria-current={path === shown ? "page" : undefined}
              >
                {nameOf(path)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        <header>
          <h2>{shown ? nameOf(shown) : "Nothing here"}</h2>
          <SegmentedControl
            aria-label="Colour scheme"
            value={scheme}
            data={["both", "light", "dark"]}
            onChange={(next) => void navigate({ search: { part, scheme: next as "both" } })}
          />
        </header>
        <div className="ac-gallery__panes">
          {(["light", "dark"] as const)
            .filter((each) => scheme === "both" || scheme === each)
            .map((each) => (
              <Pane key={each} scheme={each}>
                {shown ? (
                  <Suspense>
                    <Examples path={shown} scheme={each} />
                  </Suspense>
                ) : null}
              </Pane>
            ))}
        </div>
      </main>
    </div>
  );
}

function Examples({ path, scheme }: { path: string; scheme: string }) {
  const module = use(load(path));
  return Object.entries(module).map(([name, Example]) => (
    <section key={name} aria-label={`${titleOf(name)}, ${scheme}`}>
      <h3>{titleOf(name)}</h3>
      <Example />
    </section>
  ));
}

function Pane({ scheme, children }: { scheme: "light" | "dark"; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const [id] = useState(() => `gallery-${scheme}`);
  return (
    <div id={id} ref={root} className="ac-gallery__pane" data-mantine-color-scheme={scheme}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        cssVariablesSelector={`#${id}`}
        forceColorScheme={scheme}
        getRootElement={() => root.current ?? undefined}
        getStyleNonce={cspNonce}
      >
        {children}
      </MantineProvider>
    </div>
  );
}
