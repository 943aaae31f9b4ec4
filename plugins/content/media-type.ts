import mime from "mime-types";

const UNKNOWN = "application/octet-stream";
/** Never served as what they are: they would count as the site's own scripts and styles. */
const CODE =
  /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript|css|wasm)$|^text\/(?:jsx|less|.*shader.*)$/;

/** The type of a media file by its name: the one it is served with. */
export function typeOfMedia(name: string): string {
  const dot = name.lastIndexOf(".");
  // A bare `js` has no extension, though the table knows it as one.
  const found = (dot >= 0 && mime.lookup(name.slice(dot))) || UNKNOWN;
  return CODE.test(found) ? UNKNOWN : found;
}
