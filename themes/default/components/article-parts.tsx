import {
  type AuthorView,
  formatDate,
  inLanguage,
  type PageLink,
  type PageView,
  Picture,
  type SeriesView,
  type TemplateProps,
} from "#theme";
import { Icon } from "./icon.js";
import { listOf, toText } from "./values.js";

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
export function AuthorBox({ author, t }: Words & { author: AuthorView }) {
  if (author.summary === "") return null;
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
  const position = t("article.part", "Part {n} of {all}")
    .replace("{n}", String(series.part))
    .replace("{all}", String(series.parts.length));
  return (
    <details class="series">
      <summary>
        <span>
          <strong>{series.title}</strong> <small>{position}</small>
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
    .map(({ label, url }) => ({ label: toText(label), url: toText(url) }))
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

/** When the page changed last, and where to change it; nothing when neither is known. */
export function PageFacts({
  page,
  lang,
  t,
}: Pick<TemplateProps, "lang" | "t"> & { page: PageView }) {
  const { changed, editUrl } = page;
  if (changed === null && editUrl === null) return null;
  return (
    <footer class="page-facts">
      {changed !== null && (
        <p>
          {t("page.changed", "Last change:")}{" "}
          <time dateTime={changed}>{formatDate(changed, lang, "medium")}</time>
        </p>
      )}
      {editUrl !== null && (
        <p>
          <a href={editUrl}>{t("page.edit", "Edit this page")}</a>
        </p>
      )}
    </footer>
  );
}

interface NeighboursProps {
  /** Accessible name of the navigation. */
  label: string;
  before: PageLink | null;
  after: PageLink | null;
  /** Labels above the two titles. */
  words: readonly [before: string, after: string];
}

/** Links to the previous and next page; nothing if there is neither. */
export function Neighbours({ label, before, after, words }: NeighboursProps) {
  if (before === null && after === null) return null;
  return (
    <nav class="neighbours" aria-label={label}>
      {before !== null && (
        <a class="before" rel="prev" href={before.url}>
          <small>{words[0]}</small> <span {...inLanguage(before.lang)}>{before.title}</span>
        </a>
      )}
      {after !== null && (
        <a class="after" rel="next" href={after.url}>
          <small>{words[1]}</small> <span {...inLanguage(after.lang)}>{after.title}</span>
        </a>
      )}
    </nav>
  );
}
