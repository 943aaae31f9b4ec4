/** Preloads the pipeline, so that the first page does not wait for it. */
export async function warmUp(): Promise<void> {
  await import("./pipeline.js");
}
