import { inLanguage, Picture } from "#theme";
import type { AuthorView, PageLink, SeriesView, TemplateProps } from "#theme";
import { Icon } from "./icon.js";
import { listOf, textOf } from "./values.js";

type Words = Pick<TemplateProps, "t">;

/** Width and height of the picture of an author, in CSS pixels. */
const AVATAR = 64;

/** The picture of an author, or the first letter of the name. */
export function Avatar({ author }: { author: AuthorView }) {
  if (author.image === null) {
    return (
      <span class="avatar" aria-hidden="true">
        {Array.from(author.name)[0]}
      </span>
    );
  }
  const size = { width: String(AVATAR), height: String(AVATAR) };
  return (
    <Picture
      class="avatar"
      src={author.image}
      alt=""
      attributes={{ ...author.imageAttributes, ...size }}
      sizes={`${AVATAR}px`}
    />
  );
}

/** Who wrote the article; nothing for an author of whom only the name is known. */
export function AuthorBox({ author, t }: Words & { author: AuthorView | null }) {
  if (author === null || author.summary === "") return null;
  return (
    <aside
      class="author-box"
      aria-label={t("article.author", "Author")}
      {...inLanguage(author.lang)}
    >
      <Avatar author={author} />
      <div>
        <p class="author-name">
          {author.url === null ? author.name : <a href={author.url}>{author.name}</a>}
        </p>
        <p>{author.summary}</p>
      </div>
    </aside>
  );
}

/** The parts of a series, the current one marked. */
export function Series({ series, t }: Words & { series: SeriesView | null }) {
  if (series === null) return null;
  const place = t("article.part", "Part {n} of {all}")
    .replace("{n}", String(series.part))
    .replace("{all}", String(series.parts.length));
  return (
    <details class="series">
      <summary>
        <span>
          <strong>{series.title}</strong> <small>{place}</small>
        </span>
        <Icon name="down" />
      </summary>
      <ol>
        {series.parts.map((part, index) => (
          <li key={part.url}>
            <Link page={part} isCurrent={index + 1 === series.part} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Articles with the same terms. */
export function Related({ pages, t }: Words & { pages: readonly PageLink[] }) {
  if (pages.length === 0) return null;
  return (
    <section class="related" aria-labelledby=":related">
      <h2 id=":related">{t("article.related", "Read next")}</h2>
      <ul>
        {pages.map((page) => (
          <li key={page.url}>
            <Link page={page} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Ways to follow the site: its feed, and the links of `subscribe` in the theme's settings. */
export function Subscribe({ feeds, themeConfig, t }: TemplateProps) {
  const links = listOf(themeConfig["subscribe"])
    .map(({ label, url }) => ({ label: textOf(label), url: textOf(url) }))
    .filter(({ label, url }) => label !== "" && /^(?:https?:\/\/|mailto:|\/(?!\/))/i.test(url));
  if (feeds === null && links.length === 0) return null;
  return (
    <aside class="subscribe" aria-label={t("article.subscribe", "Follow")}>
      <p>{t("article.subscribe_text", "New articles, as they come:")}</p>
      <ul>
        {feeds !== null && (
          <li>
            <a class="button" href={feeds}>
              <Icon name="feed" />
              {t("footer.feed", "Feed")}
            </a>
          </li>
        )}
        {links.map(({ label, url }) => (
          <li key={url}>
            <a class="button" href={url}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </aside>
  );
}

function Link({ page, isCurrent = false }: { page: PageLink; isCurrent?: boolean }) {
  return (
    <a href={page.url} {...inLanguage(page.lang)} aria-current={isCurrent ? "page" : undefined}>
      {page.title}
    </a>
  );
}
