/** Processes a small picture; resolves with the version of sharp. @throws when sharp does not load or work. */
export async function probeSharp(): Promise<string> {
  const { default: sharp } = await import("sharp");
  const create = { width: 2, height: 2, channels: 3, background: "#fff" } as const;
  await sharp({ create }).webp().toBuffer();
  return sharp.versions.sharp ?? "";
}
