import mime from "mime-types";

const UNKNOWN = "application/octet-stream";
/** Never served with their own type: they would run as the site's own scripts and styles. */
const CODE =
  /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript|css|wasm)$|^text\/(?:jsx|less|.*shader.*)$/;

/** The content type that a media file is served with, by its name. */
export function typeOfMedia(name: string): string {
  const dot = name.lastIndexOf(".");
  // A file named just `js` has no extension, but the lookup would accept it.
  const found = (dot >= 0 && mime.lookup(name.slice(dot))) || UNKNOWN;
  return CODE.test(found) ? UNKNOWN : found;
}
