import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { type Http, HttpError } from "#kernel";
import { cappedLifetime } from "#lib/http";
import { imageFormatOf, mediaTypeOf } from "#lib/files";
import type { ContentService, PageEntry } from "../../content/contract.js";
import type { ImagesSection } from "../contract.js";
import { type MediaPath, negotiatedFormat, parseVariant } from "../params.js";
import type {
  MediaResponse,
  MediaResponses,
  ResponseSources,
} from "../originals/media-responses.js";
import { openInside, type OpenedFile } from "../originals/open-file.js";
import { readSidecarFocal } from "../variants/focal-point.js";
import { normaliseVariant, type WantedVariant } from "../variants/variant.js";
import type { CachedImage, Variants } from "../variants/variants.js";
import { type FileSender, sendBuffer, wholeAnswer } from "./send-body.js";

/** Maximum bytes of a cached response; larger originals are streamed. */
const MAX_CACHED_BYTES = 2 * 1024 * 1024;
const ORIGINAL_CACHE = "public, max-age=3600";
const VARIANT_CACHE = "public, max-age=31536000, immutable";
const PRIVATE_CACHE = "private, no-store";

/** Dependencies of serving. */
export interface MediaServerOptions {
  readonly http: Pick<Http, "send">;
  readonly files: FileSender;
  readonly content: ContentService;
  readonly root: string;
  readonly images: ImagesSection;
  readonly variants: Variants;
  readonly responses: MediaResponses;
  /** Unix ms. */
  now(): number;
  /** @throws HttpError 503 while sessions cannot be loaded. */
  assertSession(req: Request): void;
}
/** An existing file, and the page it belongs to. */
export interface FoundMedia extends MediaPath {
  readonly file: string;
  readonly entry: PageEntry | null;
}
interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly media: FoundMedia;
  /** True when only this viewer may see it. */
  readonly isPrivate: boolean;
  /** `Cache-Control` of the file, given that of a page that never changes. */
  control(lifetime: string): string;
  /** Generation of the content tree when the file was looked up. */
  readonly generation: number;
}

/** Serves the files of a page, originals and variants. */
export class MediaServer {
  readonly #options: MediaServerOptions;

  constructor(options: MediaServerOptions) {
    this.#options = options;
  }

  /** Sends a cached response; false when there is no entry. */
  serveCached(req: Request, res: Response): boolean {
    if (req.method !== "GET" && req.method !== "HEAD") return false;
    const { responses, content, http } = this.#options;
    const response = responses.find(toCacheKey(req), content.generation().id);
    if (response === null) return false;
    sendBuffer(http, { req, res }, response);
    return true;
  }

  /**
   * Serves a file of the commit that the request shows, in its own size; false when nothing is visible.
   * Null: the request shows the present files.
   */
  async servePast(req: Request, res: Response, path: MediaPath): Promise<boolean | null> {
    const { viewer } = req.ctx.state;
    const moment = viewer?.moment;
    if (moment === undefined || moment.commit === null) return null;
    const { name } = path;
    const file = await moment.file(path.folder, name);
    if (file === null) return false;
    const { entry } = file;
    if (entry !== null && !this.#options.content.view(viewer).canSee(entry)) return false;
    const { "Content-Type": type, ...headers } = mediaHeaders(name);
    const body = {
      type,
      body: file.bytes,
      etag: createEtag(file.bytes),
      mtimeMs: moment.at,
      headers: { ...headers, "Cache-Control": PRIVATE_CACHE },
    };
    sendBuffer(this.#options.http, { req, res }, body);
    return true;
  }

  /** Serves a file to viewers of its page; false when nothing is visible. */
  async serve(req: Request, res: Response, media: FoundMedia): Promise<boolean> {
    const { content, images } = this.#options;
    const { entry } = media;
    const view = content.view(req.ctx.state.viewer);
    if (entry !== null && !view.canSee(entry)) {
      if (entry.roles !== null) this.#options.assertSession(req);
      return false;
    }
    const isOther = req.ctx.state.viewer?.moment !== undefined;
    const isPrivate = isOther || (entry !== null && !content.view().canSee(entry));
    const control = (lifetime: string): string =>
      isPrivate
        ? PRIVATE_CACHE
        : cappedLifetime(lifetime, { until: view.expiresAt, now: this.#options.now() });
    const exchange = { req, res, media, isPrivate, control, generation: content.generation().id };
    const isImage = imageFormatOf(media.name) !== null;
    const auto = negotiatedFormat(req.url, req.headers.accept) ?? null;
    const variant = isImage ? parseVariant(req.ctx.search, images.allowed_sizes, auto) : null;
    if (variant === null) return this.#sendOriginal(exchange);
    return this.#sendVariant(exchange, variant);
  }

  async #sendOriginal(exchange: Exchange): Promise<boolean> {
    const opened = await openInside(this.#options.root, exchange.media.file);
    if (opened === null) return false;
    try {
      if (opened.stamp.size <= MAX_CACHED_BYTES) await this.#sendSmall(exchange, opened);
      else await this.#options.files.sendOpened(exchange, opened, originalHeaders(exchange));
    } finally {
      await opened.handle.close();
    }
    return true;
  }

  async #sendSmall(exchange: Exchange, opened: OpenedFile): Promise<void> {
    const body = await opened.handle.readFile();
    const answer = {
      ...originalHeaders(exchange),
      body,
      etag: createEtag(body),
      mtimeMs: opened.mtimeMs,
    };
    if (body.length === opened.stamp.size) {
      this.#store(exchange, answer, [{ path: opened.path, stamp: opened.stamp }]);
    }
    sendBuffer(this.#options.http, exchange, answer);
  }

  async #sendVariant(exchange: Exchange, asked: WantedVariant): Promise<boolean> {
    const { req, res, media } = exchange;
    const format = imageFormatOf(media.name) ?? "jpeg";
    const sidecar = await this.#sidecar(media, asked);
    const withFocal = sidecar === null ? asked : { ...asked, focal: sidecar.focal };
    const quality = this.#options.images.default_quality;
    const variant = normaliseVariant(withFocal, { format, quality });
    const left = new AbortController();
    const leave = (): void => left.abort(new HttpError(499, "the client has left"));
    if (res.destroyed) leave();
    res.once("close", leave);
    const request = { file: media.file, variant, ip: req.ctx.ip, left: left.signal };
    const answer = await this.#options.variants.get(request);
    res.off("close", leave);
    if (answer === null) return false;
    const { image, outcome, path, stamp } = answer;
    const response = variantAnswer(exchange, image, Number(stamp.mtimeNs / 1_000_000n));
    this.#store(exchange, response, [{ path, stamp }, ...(sidecar?.files ?? [])]);
    const headers = { ...response.headers, "X-Site-Image": outcome };
    sendBuffer(this.#options.http, { req, res }, { ...response, headers });
    return true;
  }

  /** The focal point of the sidecar, if it has an effect and the address has none. */
  async #sidecar(
    { file }: FoundMedia,
    asked: WantedVariant,
  ): Promise<{ focal: WantedVariant["focal"]; files: ResponseSources["files"] } | null> {
    const isCut =
      asked.width !== null && asked.height !== null && (asked.fit ?? "cover") === "cover";
    if (!isCut || asked.focal !== null) return null;
    const path = `${file}.meta.yaml`;
    const { focal, stamp } = await readSidecarFocal(this.#options.root, path);
    return { focal, files: [{ path, stamp }] };
  }

  #store(exchange: Exchange, answer: MediaResponse, files: ResponseSources["files"]): void {
    const { req, media, isPrivate, generation } = exchange;
    const isOpen = media.entry === null || this.#options.content.isAlwaysPublic(media.entry);
    if (isPrivate || !isOpen || answer.body.length > MAX_CACHED_BYTES) return;
    const response = { ...answer, whole: wholeAnswer(answer) };
    this.#options.responses.store(toCacheKey(req), response, { generation, files });
  }
}

function createEtag(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

function originalHeaders({ media, control }: Exchange): {
  type: string;
  headers: Record<string, string>;
} {
  const { "Content-Type": type, ...headers } = mediaHeaders(media.name);
  return {
    type,
    headers: { ...headers, "Cache-Control": control(ORIGINAL_CACHE) },
  };
}

/** The address, and with `format=auto` the format that was chosen for the request. */
function toCacheKey({ url, headers }: Request): string {
  const format = negotiatedFormat(url, headers.accept);
  // No address contains `#`.
  return format === undefined ? url : `${url}#${format}`;
}

function variantAnswer(
  { control, req }: Exchange,
  image: CachedImage,
  mtimeMs: number,
): MediaResponse {
  const headers = {
    "Cache-Control": control(VARIANT_CACHE),
    "X-Content-Type-Options": "nosniff",
    "X-Site-Image": "cache-hit",
    "X-Site-Image-Width": String(image.width),
    "X-Site-Image-Height": String(image.height),
    ...(negotiatedFormat(req.url, req.headers.accept) !== undefined && { Vary: "Accept" }),
  };
  return { type: image.type, headers, body: image.bytes, etag: image.etag, mtimeMs };
}

/** Headers that depend only on a file's name. */
interface MediaHeaders {
  readonly "Content-Type": string;
  readonly "X-Content-Type-Options": "nosniff";
  readonly "Content-Disposition"?: string;
  readonly "Content-Security-Policy"?: string;
}

/** Documents in which browsers run scripts: displayed in a sandbox with an opaque origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
// Displayed in the browser; all other types are downloads.
const INLINE =
  /^(?:image|audio|video|font)\/|^application\/(?:pdf|json|ogg)$|^text\/(?:plain|csv|vtt)$/;
const DOCUMENT = /^text\/(?:html|xml)$|[+/]xml$|^multipart\//;
/** Type, disposition and policy of a media file, by extension only. */
export function mediaHeaders(name: string): MediaHeaders {
  const type = mediaTypeOf(name);
  const nosniff = { "X-Content-Type-Options": "nosniff" } as const;
  if (DOCUMENT.test(type)) {
    return { "Content-Type": withCharset(type), ...nosniff, "Content-Security-Policy": SANDBOX };
  }
  if (INLINE.test(type)) return { "Content-Type": withCharset(type), ...nosniff };
  return { "Content-Type": type, ...nosniff, "Content-Disposition": attachment(name) };
}

function withCharset(type: string): string {
  return type.startsWith("text/") || type === "application/json" ? `${type}; charset=utf-8` : type;
}

// RFC 6266: an ASCII fallback and the exact name.
function attachment(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, "_");
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
