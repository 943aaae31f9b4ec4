// The image process: libvips in a process of its own (image-process.ts starts and ends it).
import type { ImageReply, ImageRequest } from "./image-messages.js";
import {
  ImageFault,
  loadSharp,
  processImage,
  readSize,
  type SharpModule,
} from "./process-image.js";

const sharp = loadSharp();
// A request receives the error of a missing package.
sharp.catch(() => undefined);

process.on("message", (request: ImageRequest) => void answer(request));
process.on("disconnect", () => process.exit(0));
// A terminal and systemd signal the whole group; the server still needs images for its last responses.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

async function answer(request: ImageRequest): Promise<void> {
  const reply = await perform(request).catch((error: unknown) => toFault(request.id, error));
  // The channel closes when the server ends meanwhile.
  if (process.connected) process.send?.(reply, undefined, undefined, () => undefined);
}

async function perform(request: ImageRequest): Promise<ImageReply> {
  const loaded: SharpModule = await sharp;
  const { id } = request;
  if ("file" in request) return { id, size: await readSize(loaded, request.file) };
  // The channel delivers a view of the message; libvips reads the part it is given.
  const original = Buffer.from(request.original);
  return { id, image: await processImage(loaded, original, request.variant) };
}

function toFault(id: number, error: unknown): ImageReply {
  const message = error instanceof Error ? error.message : String(error);
  return { id, fault: error instanceof ImageFault ? error.kind : "unusable", message };
}
