/** Versions of a graph as addresses name them: `draft` and `published`, in lower case; `new` and `approved` mean the same. */
export type Version = "draft" | "published";

const VERSIONS: Readonly<Record<string, Version>> = {
  draft: "draft",
  new: "draft",
  published: "published",
  approved: "published",
};

/** Null where the text names no version. */
export const graphVersionOf = (text: string): Version | null =>
  Object.hasOwn(VERSIONS, text.toLowerCase()) ? (VERSIONS[text.toLowerCase()] ?? null) : null;

/** How its address has to name it, where it names it otherwise. */
export function respelled(text: string): Version | null {
  const version = graphVersionOf(text);
  return version === text ? null : version;
}
