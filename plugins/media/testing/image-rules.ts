import type { SuiteRules } from "#testing";

/** The rules of image engines by the title of their check, which `imageEngineContract` states. */
export const IMAGE_ENGINE_RULES: SuiteRules = {
  "generates jpeg with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "generates png with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "generates webp with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "generates avif with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "follows the height when only the height is given":
    "with a height alone, the width follows the proportions",
  "cuts to the box, and fits inside it":
    'with both, `fit: "cover"` cuts to exactly this size, and `fit: "inside"` stays within it',
  "never enlarges": "an image is never enlarged: a larger width gives the size of the original",
  "rejects files that are damaged or not an image":
    "`process` rejects with `ERR_MEDIA_IMAGE` for bytes that are empty, damaged or not an image",
  "reads the size of an image, and returns null for other files":
    "`size` returns width and height of an image file, and null for any other file",
};

/** The rules of image stores by the title of their check, which `imageStoreContract` states. */
export const IMAGE_STORE_RULES: SuiteRules = {
  "returns stored variants, bytes and sizes":
    "`get` returns what `put` stored for the same original and variant, with type, width, height and bytes; null for any other",
  "replaces a variant": "`put` replaces a stored variant",
  "stores bytes of every value": "bytes of every value are stored as they are",
  "drops the variants of one original":
    "`delete` drops all variants of one original, and no others",
  "clears everything, and works afterwards":
    "`clear` drops everything, may be called on an empty store, and `put` works afterwards",
  "returns whole variants or none while it is repeatedly cleared":
    "while `clear` runs, `get` returns a whole variant or null",
};
