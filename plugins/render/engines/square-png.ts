/** An image (SVG or PNG) as a PNG of `size` pixels in both directions. */
export async function squarePng(image: Buffer, size: number): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const { width, height, format } = await sharp(image).metadata();
  // Vector images are drawn at the size that is needed.
  const density = format === "svg" ? Math.min(2_400, (72 * size) / Math.min(width, height)) : 72;
  return sharp(image, { density })
    .resize({ width: size, height: size, fit: "contain", background: "#0000" })
    .png()
    .toBuffer();
}
