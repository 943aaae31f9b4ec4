import { engineFailureFields, type Logger, SiteError } from "#kernel";
import { imageFormatOf, mediaTypeOf } from "#lib/files";
import type { ContentProblem, ContentService, MediaItem } from "../../content/contract.js";
import type { ImageSourceList } from "./image-sources.js";
import { MAX_INPUT_BYTES, TOO_MANY_BYTES } from "../engines/process-image.js";
import type { ImageSizes } from "./image-sizes.js";
import type { Variants } from "./variants.js";

/** Image types that pages show as they are, without a warning. */
const NEVER_RESIZED = /^image\/(?:svg\+xml|vnd\.microsoft\.icon|x-icon|apng)$/;

/** Image types whose header and end do not tell whether the file is whole. */
const DECODED: ReadonlySet<string> = new Set(["image/avif", "image/tiff"]);

/** Dependencies of the problems. */
interface ProblemSources {
  readonly content: Pick<ContentService, "media" | "mediaFile" | "mediaFolders">;
  readonly variants: Pick<Variants, "look" | "assertUsable">;
  readonly sizes: Pick<ImageSizes, "of">;
  readonly sources: Pick<ImageSourceList, "at">;
  readonly log: Logger;
}

/** Says which images cannot be resized, and why: what pages, uploads and the check of the content know. */
export class ImageProblems {
  readonly #options: ProblemSources;

  constructor(options: ProblemSources) {
    this.#options = options;
  }

  /** The problem of an image that is not stored yet; null without one, and for files that are no images. */
  async of(name: string, bytes: Buffer): Promise<string | null> {
    const kind = kindProblem(name);
    if (kind !== null || imageFormatOf(name) === null) return kind;
    if (bytes.length > MAX_INPUT_BYTES) return TOO_MANY_BYTES;
    return this.#problemFrom(() => this.#options.variants.assertUsable(bytes));
  }

  /** The problems of all images below the content folder. */
  async all(): Promise<ContentProblem[]> {
    const problems: ContentProblem[] = [];
    for (const folder of this.#options.content.mediaFolders()) {
      for (const item of await this.#options.content.media(folder)) {
        const { name } = item;
        const problem = kindProblem(name) ?? (await this.#ofFile(folder, item));
        if (problem === null) continue;
        problems.push({
          sourcePath: folder === "" ? name : `${folder}/${name}`,
          severity: "warning",
          code: "ERR_MEDIA_IMAGE",
          message: `${problem}; pages show it as it is`,
        });
      }
    }
    return problems;
  }

  async #ofFile(folder: string, { name, url }: MediaItem): Promise<string | null> {
    const { content, sizes, sources, variants } = this.#options;
    if (imageFormatOf(name) === null) return null;
    const file = await content.mediaFile(folder, name);
    if (file === null) return null;
    const header = await sizes.of(file.file);
    if (header?.problem !== undefined) return header.problem;
    const measured = sources.at(url);
    if (measured !== null && measured !== "pending") return measured.problem;
    if (header !== null && !DECODED.has(mediaTypeOf(name))) return null;
    return this.#problemFrom(() => variants.look(file.file, new AbortController().signal));
  }

  /** The reason of the engine; null when the image is usable, or the engine cannot say so now. */
  async #problemFrom(look: () => Promise<unknown>): Promise<string | null> {
    try {
      await look();
      return null;
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      if (error.code === "ERR_MEDIA_IMAGE") return error.message;
      if (error.code === "ERR_MEDIA_ENGINE")
        this.#options.log.warn("media.image_unchecked", engineFailureFields(error));
      return null;
    }
  }
}

/** The problem of an image whose kind is never resized. */
function kindProblem(name: string): string | null {
  const type = mediaTypeOf(name);
  if (!type.startsWith("image/") || NEVER_RESIZED.test(type) || imageFormatOf(name) !== null)
    return null;
  return `the image cannot be processed: it is of another kind (${type}) than JPEG, PNG, WebP, AVIF, GIF and TIFF`;
}
