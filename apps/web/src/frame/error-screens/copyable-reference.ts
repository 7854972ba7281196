/** The one part of the kit that error screens load when they need it: a chunk of its own, not the whole kit. */
export { CopyableId } from "@accord/ui";
