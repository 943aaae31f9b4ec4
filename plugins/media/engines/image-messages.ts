import type { ImageSize, ImageVariant, ProcessedImage } from "../contract.js";

/** Work for the image process. `id` identifies the reply. */
export type ImageRequest =
  | { id: number; original: Buffer; variant: ImageVariant }
  /** Absolute path of a file whose size is read. */
  | { id: number; file: string };

/** Its reply. */
export type ImageReply =
  | { id: number; image: ProcessedImage }
  | { id: number; size: ImageSize | null }
  | { id: number; fault: "unusable" | "slow"; message: string };
