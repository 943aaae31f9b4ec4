/** Copies files of the source, and downloads those of the old host. */
import { extname } from "node:path";
import { type SiteContext, HttpError, SiteError } from "#kernel";
import { mediaTypeOf } from "#lib/files";
import { formatYaml } from "#lib/yaml";
import type { PlannedMedia } from "../plan/places.js";
import { readSourceFile } from "../sources/source-files.js";
import type { OutboundAnswer, OutboundPolicy, OutboundService } from "../../outbound/contract.js";
import type { FileWriter } from "./file-writer.js";
import type { Tally } from "./tally.js";

const TYPES = /^(?:image|audio|video|font)\//;
const DOCUMENTS: ReadonlySet<string> = new Set(
  "pdf zip gz doc docx xls xlsx ppt pptx odt ods odp epub txt csv tsv json xml vtt srt ics vcf gpx kml geojson".split(
    " ",
  ),
);

/** Options of importing files. */
export interface MediaOptions {
  /** Writes and downloads nothing. */
  readonly dryRun: boolean;
  /** False leaves images and files where they are. */
  readonly takesMedia: boolean;
  /** Downloads from hosts in private networks too. */
  readonly allowPrivate: boolean;
}

/** Says why a name is not that of a media file; null when it is. */
export function mediaNameIssue(name: string): string | null {
  const extension = extname(name).slice(1).toLowerCase();
  if (TYPES.test(mediaTypeOf(name)) || DOCUMENTS.has(extension)) return null;
  return `files of type ${JSON.stringify(extension)} are not media`;
}

/** Imports files one at a time. */
export class MediaWriter {
  readonly #site: SiteContext;
  readonly #tally: Tally;
  readonly #files: FileWriter;
  readonly #options: MediaOptions;

  constructor(site: SiteContext, tally: Tally, files: FileWriter, options: MediaOptions) {
    this.#site = site;
    this.#tally = tally;
    this.#files = files;
    this.#options = options;
  }

  /** Imports a file, unless it exists: then it was imported before. */
  async add(file: PlannedMedia): Promise<void> {
    const options = this.#options;
    const tally = this.#tally;
    const issue = file.unlessUsed === null ? mediaNameIssue(file.path) : null;
    if (issue !== null) return tally.skip("media", file.origin, `${file.name}: ${issue}`);
    if (!options.takesMedia) return undefined;
    const before = await this.#files.read(file.path);
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
    const tally = this.#tally;
    const files = this.#files;
    try {
      const content = await this.#bytesOf(file);
      const media = this.#site.use("media", { optional: true });
      // A download is sent as a file to save, whatever its bytes are.
      if (file.unlessUsed === null) await media?.assertFileType(file.path, content);
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
    const policy = this.#options.allowPrivate ? "operator" : "strict";
    return download(this.#site.use("outbound"), from.url, policy);
  }
}

const MAX_BYTES = 64 * 1_048_576;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;

/** The host does not answer now; it may later. */
class Unavailable extends Error {}

/**
 * The bytes of a file, through the guarded client. Every redirect is checked like the first address.
 * @throws Unavailable when another try may succeed, else a SiteError that says why not.
 */
async function download(
  outbound: Pick<OutboundService, "request">,
  url: string,
  policy: OutboundPolicy,
): Promise<Buffer> {
  let at = url;
  for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
    const answer = await request(outbound, at, policy);
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      if (!URL.canParse(location, at)) break;
      at = new URL(location, at).href;
    } else return readBody(answer, url);
  }
  throw failed(url, `redirects more than ${MAX_REDIRECTS} times`);
}

async function request(
  outbound: Pick<OutboundService, "request">,
  url: string,
  policy: OutboundPolicy,
): Promise<OutboundAnswer> {
  try {
    return await outbound.request(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, policy });
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const isTemporary = ["ERR_OUTBOUND_TIMEOUT", "ERR_OUTBOUND_NETWORK"].includes(error.code);
    if (isTemporary) throw new Unavailable(`${url}: ${error.message}`);
    const hint =
      error.code === "ERR_OUTBOUND_ADDRESS" ? "; --allow-private allows private hosts" : "";
    throw failed(url, error.message + hint);
  }
}

function readBody({ status, body }: OutboundAnswer, url: string): Buffer {
  if (status >= 200 && status < 300) return body;
  if (status >= 500 || status === 429)
    throw new Unavailable(`${url}: the host responded ${status}`);
  throw failed(url, `the host responded ${status}`);
}

function failed(url: string, problem: string): SiteError {
  return new SiteError("ERR_IMPORT_SOURCE", `${url}: ${problem}`);
}
