/** All gallery files of the product, each loaded when it is looked at. */
export const galleryFiles = import.meta.glob([
  "../../../../../../packages/ui/src/**/*.gallery.tsx",
  "../../../../../../packages/cards/src/**/*.gallery.tsx",
  "../../../**/*.gallery.tsx",
]);
