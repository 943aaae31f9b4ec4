import { Html, lowerHeadings, Picture } from "#theme";
import type { ModuleProps } from "#theme";
import { Heading, moduleLanguage, pictureOf } from "../module-parts.js";
import { linkedText } from "../linked-text.js";
import { textOf } from "../values.js";

/** A quotation: `text` or the body, `author`, `role`, and a portrait in `image`. */
export default function Quote({ module, level }: ModuleProps) {
  const { data, title, html } = module;
  const [author, role] = [linkedText(module, "author"), textOf(data["role"])];
  const portrait = pictureOf(module, textOf(data["image"]), textOf(data["alt"]));
  return (
    <section class="module wrap column" {...moduleLanguage(module)}>
      {title !== "" && (
        <Heading level={level} class="module-title">
          {title}
        </Heading>
      )}
      <figure class="quote">
        <blockquote>
          {textOf(data["text"]) !== "" && <p>{textOf(data["text"])}</p>}
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
