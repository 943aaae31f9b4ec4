/** Copies files of the source, and downloads those of the old host. */
import { extname } from "node:path";
import type { SiteContext } from "#kernel";
import { HttpError, SiteError } from "#kernel";
import { mediaTypeOf } from "#kernel/internal";
import { formatYaml } from "#lib/yaml";
import type { PlannedMedia } from "../plan/planned.js";
import { download, Unavailable } from "./download.js";
import type { FileWriter } from "./file-writer.js";
import { readSourceFile } from "./source-file.js";
import type { Tally } from "./tally.js";

const TYPES = /^(?:image|audio|video|font)\//;
const DOCUMENTS: ReadonlySet<string> = new Set(
  "pdf zip gz doc docx xls xlsx ppt pptx odt ods odp epub txt csv tsv json xml vtt srt ics vcf gpx kml geojson".split(
    " ",
  ),
);

/** Options of importing files. */
export interface MediaOptions {
  readonly dryRun: boolean;
  readonly takesMedia: boolean;
  readonly allowPrivate: boolean;
}
interface Parts {
  readonly tally: Tally;
  readonly files: FileWriter;
  readonly options: MediaOptions;
}

/** Why a name is not that of a media file; null when it is. */
export function mediaNameIssue(name: string): string | null {
  const extension = extname(name).slice(1).toLowerCase();
  if (TYPES.test(mediaTypeOf(name)) || DOCUMENTS.has(extension)) return null;
  return `files of type ${JSON.stringify(extension)} are not media`;
}

/** Imports files one at a time. */
export class MediaWriter {
  readonly #site: SiteContext;
  readonly #parts: Parts;

  constructor(site: SiteContext, parts: Parts) {
    this.#site = site;
    this.#parts = parts;
  }

  /** Imports a file, unless it exists: then it was imported before. */
  async add(file: PlannedMedia): Promise<void> {
    const { tally, files, options } = this.#parts;
    const issue = mediaNameIssue(file.path);
    if (issue !== null) return tally.skip("media", file.origin, `${file.name}: ${issue}`);
    if (!options.takesMedia) return undefined;
    const before = await files.read(file.path);
    if (before !== null && "url" in file.from) {
      tally.media.unchanged += 1;
      return undefined;
    }
    if (options.dryRun) {
      tally.media[before === null ? "created" : "unchanged"] += 1;
      return undefined;
    }
    await this.#store(file);
  }

  async #store(file: PlannedMedia): Promise<void> {
    const { tally, files } = this.#parts;
    try {
      const content = await this.#bytesOf(file);
      const media = this.#site.use("media", { optional: true });
      await media?.assertFileType(file.path, content);
      const problem = await media?.imageProblem(file.path, content);
      await files.add({ path: file.path, content, origin: file.origin, part: "media" });
      if (typeof problem === "string") tally.note(file.origin, `${file.name}: ${problem}`);
      if (file.meta !== null && Object.keys(file.meta).length > 0) {
        const sidecar = formatYaml(file.meta);
        await files.add({
          path: `${file.path}.meta.yaml`,
          content: sidecar,
          origin: file.origin,
          part: null,
        });
      }
    } catch (error) {
      if (error instanceof HttpError) return tally.skip("media", file.origin, error.message);
      if (error instanceof Unavailable) return tally.fail("media", file.origin, error.message);
      if (error instanceof SiteError)
        return tally.skip("media", file.origin, `${file.name}: ${error.message}`);
      throw error;
    }
    return undefined;
  }

  #bytesOf({ from, name }: PlannedMedia): Promise<Buffer> {
    if ("file" in from) return readSourceFile(from.file, name);
    const policy = this.#parts.options.allowPrivate ? "operator" : "strict";
    return download(this.#site.use("outbound"), { url: from.url, policy });
  }
}
