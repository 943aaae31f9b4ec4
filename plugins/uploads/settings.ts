import { z } from "zod";
import { bucketSettings } from "#lib/stores";

const mime = z
  .string()
  .regex(/^[a-z]+\/[a-z0-9.+-]+$/, { error: "a MIME type such as `image/png`" });

const uploads = z.strictObject({
  max_size_mb: z
    .number()
    .positive()
    .max(10_240)
    .describe("Maximum size of a file in MB")
    .default(10),
  max_total_mb: z
    .number()
    .positive()
    .max(10_485_760)
    .describe("Maximum size of all files in MB; further uploads are rejected")
    .default(10_240),
  allowed_types: z
    .array(mime)
    .min(1)
    .describe("MIME types that may be uploaded")
    .default([
      "image/jpeg",
      "image/png",
      "image/webp",
      "image/gif",
      "image/avif",
      "application/pdf",
    ]),
  require_auth: z.boolean().describe("Only allows uploads of logged-in visitors").default(false),
});

const uploadStore = bucketSettings({
  type: "Where uploads are stored: files in `data/uploads/`, or objects in a bucket",
  example: "my-uploads",
})
  .describe("Where uploads by visitors are stored")
  .prefault({});

export const settings = {
  system: z.object({ uploadStore }),
  site: z.object({
    uploads: uploads.describe("Uploads by visitors; disabled without it").optional(),
  }),
};
