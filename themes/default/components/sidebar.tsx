import { SidebarEntries, type SidebarItem, type TemplateProps } from "#theme";
import { Icon } from "./icon.js";

/** Below this number of entries, all groups are open. */
const FEW = 30;

type SidebarProps = Pick<TemplateProps, "sidebar" | "versions" | "t"> & { current: string };

/**
 * The pages of the documentation, in groups that fold: a column on wide screens, on narrow ones a drawer
 * that its button opens without a script. The script of the theme loads closed groups of a large tree.
 */
export function Sidebar({ sidebar, versions, t, current }: SidebarProps) {
  const isSmall = flat(sidebar).length <= FEW;
  const label = t("docs.pages", "Pages");
  return (
    <nav
      class="docs-nav"
      id=":pages"
      popover="auto"
      aria-label={label}
      data-failed={t("docs.failed", "The pages could not be loaded.")}
      data-retry={t("docs.retry", "Try again")}
    >
      <Versions versions={versions} t={t} />
      <SidebarEntries items={sidebar} current={current} isOpen={isSmall} t={t} />
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

function flat(items: readonly SidebarItem[]): SidebarItem[] {
  return items.flatMap((item) => [item, ...flat(item.items)]);
}
