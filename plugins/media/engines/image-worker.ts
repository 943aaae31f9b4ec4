// The image process: libvips in a process of its own (sharp.ts starts and ends it).
import type { ImageReply, ImageRequest } from "./sharp.js";
import { ImageFault, loadSharp, processImage, type SharpModule } from "./process-image.js";
import { lookAt, readHeader } from "./inspect-image.js";

// Rejects when the package is missing: the process then ends, with the reason on stderr.
const sharp = loadSharp();

process.on("message", (request: ImageRequest) => void answer(request));
process.on("disconnect", () => process.exit(0));
// A terminal and systemd signal the whole group; the server still needs images for its last responses.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

async function answer(request: ImageRequest): Promise<void> {
  const reply = await perform(request);
  // The channel closes when the server ends meanwhile.
  if (process.connected) process.send?.(reply, undefined, undefined, () => undefined);
}

async function perform(request: ImageRequest): Promise<ImageReply> {
  const loaded: SharpModule = await sharp;
  const { id } = request;
  if ("file" in request) return { id, size: await readHeader(loaded, request.file) };
  try {
    if ("isLook" in request) return { id, look: await lookAt(loaded, request.original) };
    return { id, image: await processImage(loaded, request.original, request.variant) };
  } catch (error) {
    // Other errors end the process: their messages may contain paths of the host.
    if (error instanceof ImageFault) return { id, fault: error.kind, message: error.message };
    throw error;
  }
}
