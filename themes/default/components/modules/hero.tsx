import { Picture } from "#theme";
import type { ModuleProps } from "#theme";
import { Actions } from "../actions.js";
import { Heading, moduleLanguage, HERO_SIZES, ModuleText, findPicture } from "../module-parts.js";
import { toText } from "../values.js";

/** The opening of a page: `title`, `text`, `actions`, `image` with `alt`, and the body. */
export default function Hero({ module, level, page, href }: ModuleProps) {
  const { data } = module;
  const image = findPicture(module, toText(data["image"]), toText(data["alt"]));
  const title = module.title === "" && level === 1 ? (page?.title ?? "") : module.title;
  return (
    <section class={image === null ? "module hero" : "module hero has-image"}>
      <div class="wrap" {...moduleLanguage(module)}>
        <div class="hero-text">
          {title !== "" && (
            <Heading level={level} class="hero-title">
              {title}
            </Heading>
          )}
          <ModuleText module={{ ...module, title }} level={level} />
          <Actions actions={data["actions"]} href={href} />
        </div>
        {image !== null && (
          <Picture {...image} class="hero-image" sizes={HERO_SIZES} eager={level === 1} />
        )}
      </div>
    </section>
  );
}
