/** A part of the palette under its title, and its outline while it loads. */
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="ac-palette__section">
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

export function PaletteSkeleton() {
  return (
    <>
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} height={26} mb={4} radius="sm" />
      ))}
    </>
  );
}
