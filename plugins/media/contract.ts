/**
 * The public contract of media: image variants, engines that create and store them, the service.
 */
import type { Readable } from "node:stream";
import type { Request, Response } from "express";
import type { CreateHook, EngineSlot, BucketSection } from "#kernel";
import type { ContentProblem, MediaItem, PageEntry } from "../content/contract.js";

/** Output formats; `gif` only from a GIF. */
export type ImageFormat = "jpeg" | "png" | "webp" | "avif" | "gif";
/** How an image fits into a box with both sides given. */
export type ImageFit = "cover" | "contain" | "fill" | "inside" | "outside";
/** A point of an image, in percent of its width and height. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}
/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size of an image, and its problem, as far as its header tells. */
export interface ImageHeader extends ImageSize {
  /** Why the engine cannot process the image, as a sentence; absent when it can, as far as known. */
  readonly problem?: string;
}

/** The normalized description of a variant: equal results have equal variants. */
export interface ImageVariant {
  /** Pixels; null: follows from the height, or from the original. */
  readonly width: number | null;
  readonly height: number | null;
  /** 1 to 100. */
  readonly quality: number;
  readonly format: ImageFormat;
  readonly fit: ImageFit;
  /** Only with `cover` and both sides; null: the centre. */
  readonly focal: FocalPoint | null;
}

/** A generated image. */
export interface ProcessedImage extends ImageSize {
  /**
   * MIME type of the bytes; differs from the requested one when that format does not support the
   * size.
   */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Facts about an image that a page needs besides its size. */
export interface ImageLook {
  /** Dominant colour, `#rrggbb`; null for an image with transparent parts. */
  readonly color: string | null;
  /** Number of frames; more than one: an animation. */
  readonly frames: number;
}

/** Processes images; slot `image`. */
export interface ImageEngine {
  /**
   * Applies the orientation, drops the metadata, never enlarges. The memory of `original` is reused
   * after the promise settles.
   * @throws ERR_MEDIA_IMAGE for bytes that are not an image, are damaged or too large;
   * ERR_MEDIA_SLOW after a timeout.
   */
  process(original: Buffer, variant: ImageVariant): Promise<ProcessedImage>;
  /** Size as displayed, from the header only; null for files that are not images. */
  size(file: string): Promise<ImageHeader | null>;
  /**
   * Optional: without it, images have no placeholder. The memory of `original` is reused after the
   * promise settles.
   * @throws as `process`.
   */
  look?(original: Buffer): Promise<ImageLook>;
}

/**
 * Stores generated variants; slot `imageStore`. `original` is the digest of the original's bytes,
 * `variant` the canonical form of the variant: both are plain `[a-z0-9-]+`.
 */
export interface ImageStore {
  /** Null when it is missing or damaged. */
  get(key: StoreKey): Promise<ProcessedImage | null>;
  /** Atomic: readers see all of it or nothing. */
  put(key: StoreKey, image: ProcessedImage): Promise<void>;
  /** Drops every variant of an original that has changed. */
  delete(original: string): Promise<void>;
  /** Drops everything; concurrent readers see the old variant or none. */
  clear(): Promise<void>;
}
/** The key of a variant in the store. */
export interface StoreKey {
  readonly original: string;
  readonly variant: string;
}

/** Options of `srcset`. */
export interface SrcsetOptions {
  /**
   * Width of the original in pixels, which limits the candidates. If absent: every allowed size.
   */
  width?: number;
  format?: Exclude<ImageFormat, "gif">;
  quality?: number;
}

/** The parts of a `<picture>` around an `<img>` with the attributes of `imageAttributes`. */
export interface ImageSources {
  /** The `srcset` of the `<img>`. */
  readonly srcset: string;
  /** Why the image cannot be resized: it is shown as it is, without `srcset`; null when it can. */
  readonly problem: string | null;
  /** Formats that are smaller than the one of the `<img>`, the smallest first; may be empty. */
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
  /** Dominant colour, `#rrggbb`; null for an image with transparent parts. */
  readonly color: string | null;
}

/** Status of image processing. */
export interface ImageStats {
  /** Number of variants generated since startup. */
  processed: number;
  /** Number of variants from memory or the store. */
  hits: number;
  running: number;
  waiting: number;
}

/** A file to send to a browser. */
export interface FileToSend {
  /** Absolute; no file outside of this folder is sent, even through links. */
  readonly root: string;
  /** Absolute. */
  readonly file: string;
  /** MIME type, with charset for text. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A part of a file or an object. */
export interface ByteRange {
  /** Position of the first byte, from 0. */
  readonly start: number;
  /** Position of the last byte, which belongs to the part. */
  readonly end: number;
}

/** Bytes to send that are no file of this machine. */
export interface BytesToSend extends ObjectFacts, Pick<FileToSend, "type" | "headers"> {
  /** The bytes of a part. */
  read(part: ByteRange): Promise<Readable>;
}
/** Size and validators of an object. */
export interface ObjectFacts {
  /** Bytes. */
  readonly size: number;
  /** A strong validator, with quotes. */
  readonly etag: string;
  readonly mtimeMs: number;
}
/** Bytes on their way into a bucket. */
export interface ObjectToPut {
  readonly stream: Readable;
  /** Bytes of the stream. */
  readonly size: number;
  /** MIME type. */
  readonly type: string;
}
/** A folder of a bucket. While the bucket does not respond, all methods throw ERR_MEDIA_BUCKET_DOWN (503). */
export interface ObjectBucket {
  /** Atomic: readers see all of it or nothing. */
  put(name: string, object: ObjectToPut): Promise<void>;
  /** Null: missing. */
  find(name: string): Promise<ObjectFacts | null>;
  /** The bytes of a part. */
  read(name: string, part: ByteRange): Promise<Readable>;
  delete(name: string): Promise<void>;
  /** The size of all objects together. */
  totalBytes(): Promise<number>;
}

/** The folder of a bucket to open. */
export interface BucketFolderOptions {
  /** Key of the section in the settings, for messages and the health report. */
  readonly setting: string;
  /** The folder below the prefix of the section. */
  readonly folder: string;
  readonly section: BucketSection;
}

/**
 * Media and images.
 *
 * @example
 * const media = site.use("media");
 * const srcset = media.srcset("/content-media/01.home/boat.jpg", { format: "webp" });
 * const { waiting } = media.stats();
 */
export interface MediaService {
  /** Sends a file or the requested `Range`, with validators; false when the file does not exist. */
  sendFile(req: Request, res: Response, file: FileToSend): Promise<boolean>;
  /** Sends bytes or the requested `Range`, with validators. */
  sendBytes(req: Request, res: Response, bytes: BytesToSend): Promise<void>;
  /**
   * Opens a folder of the bucket that a section of the settings names.
   * @throws ERR_MEDIA_S3_CREDENTIALS.
   */
  openBucket(options: BucketFolderOptions): ObjectBucket;
  /**
   * Checks that a file's first bytes match the extension of its name.
   * @throws HttpError 415.
   */
  assertFileType(name: string, beginning: Buffer): Promise<void>;
  /** Drops all stored variants (action `purge-cache`). */
  purge(): Promise<void>;
  /** The `srcset` of a media file; empty for a file that cannot be processed. */
  srcsetOf(item: Pick<MediaItem, "name" | "url">, folder: string): Promise<string>;
  /**
   * A `srcset` over `images.allowed_sizes` by the address alone; empty for a suffix that is never processed. Use
   * `srcsetOf` for a file of the site, which may be too large.
   */
  srcset(url: string, options?: SrcsetOptions): string;
  /** Size in pixels of an image of a page; null for other files. */
  imageSize(item: MediaItem, page: PageEntry): Promise<ImageSize | null>;
  /**
   * Why an image cannot be resized, as a sentence: it is too large, damaged, or of another kind. Null for an
   * image that can, and for files that are no images.
   */
  imageProblem(name: string, bytes: Buffer): Promise<string | null>;
  /** The images of all folders that cannot be resized, for the check of the content. */
  imageProblems(): Promise<readonly ContentProblem[]>;
  /** `srcset`, `sizes`, `width` and `height` of an `<img>`, to prevent layout shifts. */
  imageAttributes(item: MediaItem, page: PageEntry): Promise<Readonly<Record<string, string>>>;
  /**
   * The sources around the `<img>` of an image whose attributes were requested before, by its URL;
   * `pending` until the image was measured in the background, which invalidates `image:{url}`; null
   * when there is nothing to add.
   */
  imageSources(url: string): ImageSources | "pending" | null;
  stats(): ImageStats;
}

/** Section `images` of system.yaml. */
export interface ImagesSection {
  /** 1 to 100. */
  default_quality: number;
  /** Relative to the site root. */
  cache_dir: string;
  allowed_sizes: number[];
  /** True: pages offer AVIF and WebP where they are smaller. */
  pictures: boolean;
  /** True: pages show the dominant colour of an image until it is loaded. */
  placeholders: boolean;
  /** Megabytes; the oldest variants are evicted first. */
  cache_max_mb: number;
  queue: ImageQueueSection;
}
/** Section `imageStore` of system.yaml. */
export type ImageStoreSection = BucketSection;
/** Section `images.queue`: limits of concurrent work. */
export interface ImageQueueSection {
  /** Number of images processed at once. */
  concurrency: number;
  /** Maximum number of waiting images; further requests get 503. */
  length: number;
  /** Maximum number of new variants per minute and address. */
  misses_per_minute: number;
}

declare module "#kernel" {
  interface Services {
    media: MediaService;
  }
  interface Engines {
    /**
     * Register an engine in `onImageCreate`.
     *
     * @example
     * site.hooks.on("onImageCreate", ({ data }) => {
     *   const inner = data.active;
     *   data.register("small", {
     *     size: (file) => inner.size(file),
     *     process: (bytes, to) => inner.process(bytes, { ...to, quality: Math.min(to.quality, 60) }),
     *   });
     *   data.activate("small");
     * });
     */
    image: ImageEngine;
    /**
     * Register a store in `onImageStoreCreate`, or in `setup`.
     *
     * @example
     * import type { ImageStore, ProcessedImage } from "sitewright/plugins";
     * const images = new Map<string, ProcessedImage>();
     * const get: ImageStore["get"] = async (key) => images.get(JSON.stringify(key)) ?? null;
     * const put: ImageStore["put"] = async (key, image) => void images.set(JSON.stringify(key), image);
     * const clear = async () => images.clear();
     * site.engines.slot("imageStore").register("memory", { get, put, delete: clear, clear });
     * site.engines.slot("imageStore").activate("memory");
     */
    imageStore: ImageStore;
  }
  interface SiteSettings {
    /** Names of files that are served at `/{name}`, before routes of that name. */
    root_files: string[];
  }
  interface SystemSettings {
    images: ImagesSection;
    imageStore: ImageStoreSection;
  }
  interface HookMap {
    /**
     * When the site gets ready: register an engine for the slot `image`.
     *
     * @example
     * import type { ImageEngine } from "sitewright/plugins";
     * declare const remote: ImageEngine; // an image service
     * site.hooks.on("onImageCreate", ({ data }) => {
     *   data.register("remote", remote);
     *   data.activate("remote");
     * });
     */
    onImageCreate: CreateHook<EngineSlot<ImageEngine>>;
    /**
     * When the site gets ready: register a store for the slot `imageStore`.
     *
     * @example
     * import type { ImageStore } from "sitewright/plugins";
     * declare const bucket: ImageStore; // an object store
     * site.hooks.on("onImageStoreCreate", ({ data }) => {
     *   data.register("bucket", bucket);
     *   data.activate("bucket");
     * });
     */
    onImageStoreCreate: CreateHook<EngineSlot<ImageStore>>;
  }
}
