import { addressIn } from "#theme";
import type { ModuleProps } from "#theme";
import { Heading, ModuleHead, moduleLanguage } from "../module-parts.js";
import { listOf, toText } from "../values.js";

/** A grid of short points: `title`, `items` with `title`, `text` and `url`, and the body above them. */
export default function Features({ module, level, href }: ModuleProps) {
  const below = module.title === "" ? level : level + 1;
  const items = listOf(module.data["items"]);
  return (
    <section class="module wrap" {...moduleLanguage(module)}>
      <ModuleHead module={module} level={level} />
      {items.length > 0 && (
        <ul class="features">
          {items.map((item, index) => (
            <li key={index}>
              <Heading level={below} class="feature-title">
                <Linked url={toText(item["url"])} text={toText(item["title"])} href={href} />
              </Heading>
              <p>{toText(item["text"])}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Linked({ url, text, href }: { url: string; text: string; href: ModuleProps["href"] }) {
  if (!/^(?:\/|#|https?:|mailto:)/i.test(url)) return <>{text}</>;
  return <a href={addressIn(href, url)}>{text}</a>;
}
