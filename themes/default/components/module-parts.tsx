import { fitImages, Html, lowerHeadings } from "#theme";
import type { MediaView, ModuleView } from "#theme";
import type { ComponentChildren } from "preact";
import { toAlt } from "./cover.js";
import { languageAttributes, TEXT_SIZES } from "./prose.js";
import { toText } from "./values.js";

/** `sizes` of the image of a hero: below the text, or beside it. */
export const HERO_SIZES = "(max-width: 60rem) 92vw, 33rem";

/** `sizes` of the images of a gallery: one column, then columns of at least 14rem. */
export const GALLERY_SIZES = "auto, (max-width: 32rem) 92vw, (max-width: 48rem) 21.5rem, 19.5rem";

interface HeadingProps {
  level: number;
  class?: string;
  children: ComponentChildren;
}

/** A heading of a level that depends on where it is shown. */
export function Heading({ level, class: name, children }: HeadingProps) {
  const Tag: "h1" | "h2" | "h3" = level === 1 ? "h1" : level === 2 ? "h2" : "h3";
  return <Tag class={name}>{children}</Tag>;
}

interface HeadProps {
  module: ModuleView;
  level: 1 | 2;
}

/** The title and the text of a module. */
export function ModuleHead({ module, level }: HeadProps) {
  return (
    <>
      {module.title !== "" && (
        <Heading level={level} class="module-title">
          {module.title}
        </Heading>
      )}
      <ModuleText module={module} level={level} />
    </>
  );
}

/** The text of a module: `text` of its front matter, then its body below the title. */
export function ModuleText({ module, level }: HeadProps) {
  const text = toText(module.data["text"]);
  const below = module.title === "" ? level : level + 1;
  const html = fitImages(lowerHeadings(module.html, below), { sizes: TEXT_SIZES });
  return (
    <>
      {text !== "" && <p class="lede">{text}</p>}
      {html !== "" && <Html class="prose" html={html} />}
    </>
  );
}

/** Language and direction of a module that replaces a missing translation. */
export function moduleLanguage(module: ModuleView) {
  return languageAttributes(module);
}

/** An image of a module: a file next to it, or an address. */
export interface ModulePicture {
  src: string;
  alt: string;
  attributes: Readonly<Record<string, string>>;
}

/** The image of a name in front matter, with the `alt` given there or that of its sidecar; null without one. */
export function findPicture(module: ModuleView, name: string, alt = ""): ModulePicture | null {
  if (name === "") return null;
  const item = module.media.find((file) => file.name === name);
  if (item !== undefined) return toPicture(item, alt);
  return /^(?:\/(?!\/)|https?:)/i.test(name) ? { src: name, alt, attributes: {} } : null;
}

/** A file as an image. */
export function toPicture(item: MediaView, alt = ""): ModulePicture {
  return { src: item.url, alt: alt || toAlt(item.meta["alt"]), attributes: item.attributes };
}
