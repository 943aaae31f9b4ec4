import { inLanguage } from "#theme";
import type { SidebarItem, TemplateProps } from "#theme";
import { Icon } from "./icon.js";

/** Below this number of entries, all groups are open. */
const FEW = 30;

type SidebarProps = Pick<TemplateProps, "sidebar" | "versions" | "t"> & { current: string };

/**
 * The pages of the documentation, in groups that fold: a column on wide screens, on narrow ones a drawer
 * that its button opens without a script.
 */
export function Sidebar({ sidebar, versions, t, current }: SidebarProps) {
  const isSmall = flat(sidebar).length <= FEW;
  const label = t("docs.pages", "Pages");
  return (
    <nav class="docs-nav" id=":pages" popover="auto" aria-label={label}>
      <Versions versions={versions} t={t} />
      <Items items={sidebar} current={current} isSmall={isSmall} t={t} />
    </nav>
  );
}

/** The buttons that open the pages and the headings on narrow screens. */
export function DocsBar({ t, hasContents }: Pick<TemplateProps, "t"> & { hasContents: boolean }) {
  return (
    <div class="docs-bar">
      <div class="wrap">
        <button type="button" class="docs-bar-pages" popovertarget=":pages">
          <Icon name="menu" />
          {t("docs.pages", "Pages")}
        </button>
        {hasContents && (
          <button type="button" popovertarget=":contents">
            {t("page.contents", "On this page")}
            <Icon name="down" />
          </button>
        )}
      </div>
    </div>
  );
}

interface ItemsProps extends Pick<TemplateProps, "t"> {
  items: readonly SidebarItem[];
  current: string;
  isSmall: boolean;
}

function Items({ items, ...common }: ItemsProps) {
  return (
    <ul>
      {items.map((item) => (
        <li key={`${item.route ?? ""} ${item.title}`}>
          {item.items.length === 0 ? (
            <Entry item={item} current={common.current} />
          ) : (
            <Group {...common} item={item} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** A group: its own page is its first entry, so that a click on its name only folds it. */
function Group({ item, current, isSmall, t }: Omit<ItemsProps, "items"> & { item: SidebarItem }) {
  const overview = { ...item, title: t("docs.overview", "Overview"), items: [] };
  return (
    <details open={isSmall || hasRoute(item, current)}>
      <summary {...inLanguage(item.lang)}>
        <span>{item.title}</span>
        <Icon name="down" />
      </summary>
      <ul>
        {item.url !== null && (
          <li>
            <Entry item={{ ...overview, lang: undefined }} current={current} />
          </li>
        )}
        {item.items.map((child) => (
          <li key={`${child.route ?? ""} ${child.title}`}>
            {child.items.length === 0 ? (
              <Entry item={child} current={current} />
            ) : (
              <Group item={child} current={current} isSmall={isSmall} t={t} />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Entry({
  item,
  current,
}: {
  item: Pick<SidebarItem, "title" | "url" | "route"> & { lang?: string | undefined };
  current: string;
}) {
  if (item.url === null) return <span class="docs-nav-label">{item.title}</span>;
  const isCurrent = item.route === current;
  return (
    <a href={item.url} {...inLanguage(item.lang)} aria-current={isCurrent ? "page" : undefined}>
      {item.title}
    </a>
  );
}

function Versions({ versions, t }: Pick<TemplateProps, "versions" | "t">) {
  const current = versions.find(({ isCurrent }) => isCurrent);
  if (current === undefined || versions.length < 2) return null;
  return (
    <details class="versions">
      <summary aria-label={`${t("docs.version", "Version")}: ${current.title}`}>
        <span>{current.title}</span>
        <Icon name="down" />
      </summary>
      <ul>
        {versions.map(({ title, url, isCurrent }) => (
          <li key={title}>
            <a href={url} aria-current={isCurrent ? "true" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The entries before and after a page, across groups. */
export function around(items: readonly SidebarItem[], current: string) {
  const pages = flat(items).filter(({ url, route }) => url !== null && route !== null);
  const at = pages.findIndex(({ route }) => route === current);
  const toLink = (item: SidebarItem | undefined) =>
    item === undefined
      ? null
      : { title: item.title, url: item.url ?? "/", ...(item.lang && { lang: item.lang }) };
  return at === -1
    ? { before: null, after: null }
    : { before: toLink(pages[at - 1]), after: toLink(pages[at + 1]) };
}

function hasRoute(item: SidebarItem, route: string): boolean {
  return item.route === route || item.items.some((child) => hasRoute(child, route));
}

function flat(items: readonly SidebarItem[]): SidebarItem[] {
  return items.flatMap((item) => [item, ...flat(item.items)]);
}
