import {
  Html,
  inLanguage,
  lowerHeadings,
  type ModuleProps,
  type ModuleView,
  Picture,
} from "#theme";
import { Heading, moduleLanguage, findPicture } from "../module-parts.js";
import { toText } from "../values.js";

/** A quotation: `text` or the body, `author`, `role`, and a portrait in `image`. */
export default function Quote({ module, level }: ModuleProps) {
  const { data, title, html } = module;
  const [author, role] = [linkedText(module, "author"), toText(data["role"])];
  const portrait = findPicture(module, toText(data["image"]), toText(data["alt"]));
  return (
    <section class="module wrap column" {...moduleLanguage(module)}>
      {title !== "" && (
        <Heading level={level} class="module-title">
          {title}
        </Heading>
      )}
      <figure class="quote">
        <blockquote>
          {toText(data["text"]) !== "" && <p>{toText(data["text"])}</p>}
          {html !== "" && <Html html={lowerHeadings(html, level + 1)} />}
        </blockquote>
        {author !== null && (
          <figcaption>
            {portrait !== null && <Picture {...portrait} class="quote-image" sizes="3.5rem" />}
            <span>
              <strong>{author}</strong>
              {role !== "" && <span class="dim">{role}</span>}
            </span>
          </figcaption>
        )}
      </figure>
    </section>
  );
}

/** The text of a field, as a link when it names a page; null without a text or a visible page. */
function linkedText({ data, relations }: Pick<ModuleView, "data" | "relations">, field: string) {
  const link = relations[field];
  if (link === null) return null;
  if (link === undefined) return toText(data[field]) || null;
  const { title, url, lang } = link;
  return (
    <a href={url} hreflang={lang} {...inLanguage(lang)}>
      {title}
    </a>
  );
}
