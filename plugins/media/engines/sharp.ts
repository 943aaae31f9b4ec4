import { SiteError } from "#kernel";
import type { ImageEngine } from "../contract.js";
import type { ImageReply, ImageWork } from "./image-messages.js";
import { ImageProcess } from "./image-process.js";

/** All sites of this process share it: libvips has one state per process anyway. */
const shared = new ImageProcess();

/** Image processing by libvips in a process of its own. */
export function createSharpEngine(images: Pick<ImageProcess, "run"> = shared): ImageEngine {
  return {
    process: async (original, variant) => {
      const reply = await request(images, { original, variant });
      if ("image" in reply) return reply.image;
      throw toError(reply);
    },
    look: async (original) => {
      const reply = await request(images, { original, isLook: true });
      if ("look" in reply) return reply.look;
      throw toError(reply);
    },
    size: async (file) => {
      const reply = await request(images, { file });
      return "size" in reply ? reply.size : null;
    },
  };
}

async function request(images: Pick<ImageProcess, "run">, work: ImageWork): Promise<ImageReply> {
  try {
    return await images.run(work);
  } catch (cause) {
    throw new SiteError("ERR_MEDIA_PROCESS", "the process that generates images ended", {
      status: 503,
      headers: { "Retry-After": "60" },
      cause,
      fix: "ask again later; if it happens again, the log of the system says why it ended",
    });
  }
}

function toError(reply: ImageReply): SiteError {
  const { fault, message } = "fault" in reply ? reply : { fault: "unusable", message: "no image" };
  return fault === "slow"
    ? new SiteError("ERR_MEDIA_SLOW", message, { status: 503, headers: { "Retry-After": "30" } })
    : new SiteError("ERR_MEDIA_IMAGE", message, { status: 422, fix: "replace the original" });
}
