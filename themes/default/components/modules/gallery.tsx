import { Picture } from "#theme";
import type { ModuleProps, ModuleView } from "#theme";
import {
  ModuleHead,
  moduleLanguage,
  findPicture,
  toPicture,
  GALLERY_SIZES,
  type ModulePicture,
} from "../module-parts.js";
import { listOf, toText } from "../values.js";

interface Shown {
  picture: ModulePicture;
  caption: string;
}

/** Pictures: `images` with `file`, `alt` and `caption`, else all images next to the module. */
export default function Gallery({ module, level, t }: ModuleProps) {
  const shown = listPictures(module);
  return (
    <section class="module wrap" {...moduleLanguage(module)}>
      <ModuleHead module={module} level={level} />
      {shown.length > 0 && (
        <ul class="gallery" aria-label={module.title || t("page.pictures", "Images")}>
          {shown.map(({ picture, caption }) => (
            <li key={picture.src}>
              <figure>
                <Picture {...picture} sizes={GALLERY_SIZES} />
                {caption !== "" && <figcaption>{caption}</figcaption>}
              </figure>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function listPictures(module: ModuleView): Shown[] {
  const { images } = module.data;
  if (!Array.isArray(images)) {
    const files = module.media.filter(({ type }) => type.startsWith("image/"));
    return files.map((file) => ({
      picture: toPicture(file),
      caption: toText(file.meta["caption"]),
    }));
  }
  const named = images.map((one: unknown) => (typeof one === "string" ? { file: one } : one));
  return listOf(named).flatMap((image) => {
    const picture = findPicture(module, toText(image["file"]), toText(image["alt"]));
    return picture === null ? [] : [{ picture, caption: toText(image["caption"]) }];
  });
}
