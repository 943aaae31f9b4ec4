import type { ImageHeader, ImageLook, ImageVariant, ProcessedImage } from "../contract.js";

/**
 * Generates a variant of an original, looks at it, or reads the size of the file at an absolute
 * path.
 */
export type ImageWork =
  | { readonly original: Buffer; readonly variant: ImageVariant }
  | { readonly original: Buffer; readonly isLook: true }
  | { readonly file: string };

/** Work for the image process. `id` identifies the reply. */
export type ImageRequest = ImageWork & { readonly id: number };

/** Its reply. */
export type ImageReply =
  | { id: number; image: ProcessedImage }
  | { id: number; size: ImageHeader | null }
  | { id: number; look: ImageLook }
  | { id: number; fault: "unusable" | "slow"; message: string };
