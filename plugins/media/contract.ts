/** What others may know of media: variants of images, the engines that make and keep them, the service. */
import type { Request, Response } from "express";
import type { CreateHook, EngineSlot } from "#kernel";
import type { MediaItem, PageEntry } from "../content/contract.js";

/** What an image can be turned into; `gif` only from a GIF. */
export type ImageFormat = "jpeg" | "png" | "webp" | "avif" | "gif";
/** How an image fills a box of which both sides are given. */
export type ImageFit = "cover" | "contain" | "fill" | "inside" | "outside";
/** A point of an image in percent of its width and height. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}
/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What is made of an original: normalised, so that equal answers have equal variants. */
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

/** A finished image. */
export interface ProcessedImage extends ImageSize {
  /** MIME type of the bytes; another one than asked for when the format cannot hold the size. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Makes images; slot `image`. */
export interface ImageEngine {
  /**
   * Applies the orientation, drops the metadata, never enlarges. Throws ERR_MEDIA_IMAGE for what is
   * no image, is damaged or is too large, ERR_MEDIA_SLOW when it takes too long. `original` is lent
   * until the promise settles: its memory is used again.
   */
  process(original: Buffer, variant: ImageVariant): Promise<ProcessedImage>;
  /** Size as shown, from the header alone; null when it is no image that can be processed. */
  size(file: string): Promise<ImageSize | null>;
}

/**
 * Keeps finished variants; slot `imageStore`. `original` is the digest of the original's bytes,
 * `variant` the canonical form of what was made of it: both are plain `[a-z0-9-]+`.
 */
export interface ImageStore {
  /** Null when it is not there, or was damaged. */
  get(key: StoreKey): Promise<ProcessedImage | null>;
  /** A reader sees all of it or nothing. */
  put(key: StoreKey, image: ProcessedImage): Promise<void>;
  /** Drops every variant of an original that has changed. */
  forget(original: string): Promise<void>;
  /** Drops everything; readers meanwhile see the old variant or none. */
  clear(): Promise<void>;
}
/** Where a variant is kept. */
export interface StoreKey {
  readonly original: string;
  readonly variant: string;
}

/** What `srcset` takes beside the address. */
export interface SrcsetOptions {
  /** Width of the original in pixels: no candidate is wider. Absent: every allowed size. */
  width?: number;
  format?: Exclude<ImageFormat, "gif">;
  quality?: number;
}

/** How image processing is doing. */
export interface ImageStats {
  /** Variants made since the start. */
  processed: number;
  /** Answers from memory or the store. */
  hits: number;
  running: number;
  waiting: number;
}

/** A file as it is sent to a browser. */
export interface FileToSend {
  /** Absolute; nothing outside of this folder is sent, wherever links lead. */
  readonly root: string;
  /** Absolute. */
  readonly file: string;
  /** MIME type, with charset for text. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Media and images. */
export interface MediaService {
  /** Sends a file, or the part a `Range` asks for, with validators; false when there is none. */
  sendFile(req: Request, res: Response, file: FileToSend): Promise<boolean>;
  /**
   * Holds a file's bytes, or the first some thousand of them, to the extension of its name. Throws
   * HttpError 415.
   */
  assertFileType(name: string, beginning: Buffer): Promise<void>;
  /** Drops every kept variant (action `purge-cache`). */
  purge(): Promise<void>;
  /** A `srcset` over `images.allowed_sizes`; empty for a file that cannot be processed. */
  srcset(url: string, options?: SrcsetOptions): string;
  /** Size of an image of a page in pixels; null for what is no image. */
  imageSize(item: MediaItem, page: PageEntry): Promise<ImageSize | null>;
  /** `srcset`, `sizes`, `width`, `height` for an `<img>`: no layout shift. */
  imageAttributes(item: MediaItem, page: PageEntry): Promise<Readonly<Record<string, string>>>;
  stats(): ImageStats;
}

/** Section `images` of system.yaml. */
export interface ImagesSection {
  /** 1 to 100. */
  default_quality: number;
  /** Relative to the site root. */
  cache_dir: string;
  allowed_sizes: number[];
  /** Megabytes; the oldest variants go first. */
  cache_max_mb: number;
  queue: ImageQueueSection;
}
/** Section `images.queue`: how much work is taken on at a time. */
export interface ImageQueueSection {
  /** Images in work at once. */
  concurrency: number;
  /** Images that may wait; beyond it the answer is 503. */
  length: number;
  /** New variants per minute that one address may ask for. */
  misses_per_minute: number;
}

declare module "#kernel" {
  interface Services {
    media: MediaService;
  }
  interface Engines {
    image: ImageEngine;
    imageStore: ImageStore;
  }
  interface SiteSettings {
    /** Names of files that are served at `/{name}` before routes of that name. */
    root_files: string[];
  }
  interface SystemSettings {
    images: ImagesSection;
  }
  interface HookMap {
    onImageCreate: CreateHook<EngineSlot<ImageEngine>>;
    onImageStoreCreate: CreateHook<EngineSlot<ImageStore>>;
  }
}
