/** An API name out of what people call a thing: letters, digits and underscores, a letter first. */
export function toApiName(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/[^A-Za-z0-9]+/g, "_");
  return plain.replaceAll(/^[_0-9]+|_+$/g, "").toLowerCase() || (text.trim() === "" ? "" : "x");
}
