/** Media types by file name: the one table of suffixes for serving, uploads, imports and exports. */
import mime from "mime-types";

const UNKNOWN = "application/octet-stream";
/** Suffixes of JPEG files that the registry of types does not list, or lists with another name. */
const JPEG: ReadonlySet<string> = new Set(["jfif", "jfi", "jif", "pjpeg", "pjp"]);
/** Sources of programs, which the registry of types lists as videos and models. */
const SOURCES = /\.m?ts$/i;
/** Never served with their own type: they would run as the site's own scripts and styles. */
const CODE =
  /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript|css|wasm)$|^text\/(?:jsx|less|.*shader.*)$/;

/** Formats of images. */
export type ImageFormatName = "jpeg" | "png" | "webp" | "avif" | "gif";

/** The format that variants of an image have by default; JPEG for TIFF, which browsers do not show. */
const FORMATS: ReadonlyMap<string, ImageFormatName> = new Map([
  ["image/jpeg", "jpeg"],
  ["image/png", "png"],
  ["image/webp", "webp"],
  ["image/avif", "avif"],
  ["image/gif", "gif"],
  ["image/tiff", "jpeg"],
]);

/** The registered type of a file by its name, of code as well; null for unknown ones. Not for serving. */
export function registeredTypeOf(name: string): string | null {
  const dot = name.lastIndexOf(".");
  // A file named just `js` has no suffix, but the lookup would accept it.
  if (dot < 0) return null;
  const suffix = name.slice(dot + 1).toLowerCase();
  return JPEG.has(suffix) ? "image/jpeg" : mime.lookup(`.${suffix}`) || null;
}

/** The content type that a file is served with, by its name; `application/octet-stream` for unknown ones and for code. */
export function mediaTypeOf(name: string): string {
  const type = registeredTypeOf(name) ?? UNKNOWN;
  const isCode = CODE.test(type) || SOURCES.test(name);
  return isCode ? UNKNOWN : type;
}

/** The format of an image's variants, by its name; null for a file that is never resized. */
export function imageFormatOf(name: string): ImageFormatName | null {
  return name.lastIndexOf(".") < 1 ? null : (FORMATS.get(mediaTypeOf(name)) ?? null);
}
