import { z } from "zod";
import { bucketSettings } from "#lib/stores";
import { siteFolder } from "#kernel";
import type { ImagesSection, ImageStoreSection } from "./contract.js";

const queue = z
  .strictObject({
    concurrency: z.int().min(1).max(64).describe("Images in work at once").default(2),
    length: z
      .int()
      .min(1)
      .max(10_000)
      .describe("Images that may wait; beyond it the answer is 503")
      .default(64),
    misses_per_minute: z
      .int()
      .min(1)
      .describe("New variants per minute that one address may ask for")
      .default(600),
  })
  .describe("How much image work is taken on at a time")
  .prefault({});

const images = z
  .strictObject({
    default_quality: z.int().min(1).max(100).describe("Quality of a variant, 1 to 100").default(80),
    cache_dir: siteFolder("cache")
      .describe("Folder of the variants, in the site root; may be deleted at any time")
      .meta({ privileged: true })
      .default(".dune/cache/images"),
    allowed_sizes: z
      .array(z.int().min(1).max(10_000))
      .describe("Widths and heights in pixels that may be asked for")
      .default([320, 640, 768, 1024, 1280, 1536, 1920]),
    pictures: z
      .boolean()
      .describe("Pages offer images as AVIF and WebP too, where these are smaller")
      .default(true),
    placeholders: z
      .boolean()
      .describe("Pages show the dominant colour of an image until it is loaded")
      .default(true),
    cache_max_mb: z
      .number()
      .min(1)
      .describe("Maximum size of the stored variants, in MB; the oldest are deleted first")
      .default(512),
    queue,
  })
  .describe("Image variants")
  .prefault({}) satisfies z.ZodType<ImagesSection>;

const imageStore = bucketSettings({
  type: "Where variants are stored: files in `images.cache_dir`, or objects in a bucket",
  example: "my-images",
})
  .describe("Where image variants are stored")
  .prefault({}) satisfies z.ZodType<ImageStoreSection>;

const rootFiles = z
  .array(
    z.string().regex(/^[A-Za-z0-9][\w.-]*\.[A-Za-z0-9]{1,10}$/, {
      error: "the name of a file, such as `robots.txt`",
    }),
  )
  .describe(
    "Files of the content folder, or of the home page, that are served at `/{name}` even where the site has a route or generates a file of that name",
  )
  .default([]);

export const settings = {
  site: z.object({ root_files: rootFiles }),
  system: z.object({ images, imageStore }),
};
