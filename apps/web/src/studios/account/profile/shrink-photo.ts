/** Makes a chosen picture small and square, in the browser, as a data address. */

const SIDE = 192;

/** Rejects when the file is no picture the browser can read. */
export async function shrinkPhoto(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const side = Math.min(picture.width, picture.height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser can't draw pictures");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  const small = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.86 });
  const bytes = new Uint8Array(await small.arrayBuffer());
  return `data:image/jpeg;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
